"""The web application: a server that plays, analyses and watches, and the page that it serves."""
