// The live connection: one WebSocket that comes back by itself when it is lost.

const PATIENCE = [200, 500, 1000, 2000, 5000]; // milliseconds before each new attempt
const SILENCE = 20000; // after which the connection is asked whether it is alive
const ANSWER = 5000; // within which it must say so, or it is given up: a page is not told that its network has gone

export class Live extends EventTarget {
  constructor() {
    super();
    this.attempts = 0;
    this.wanted = new Map(); // what to ask for again after a loss, by name
    this.number = 0;
    this.open();
  }

  get connected() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    clearTimeout(this.timer);
    const socket = new WebSocket(`${scheme}://${location.host}/api/live`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.attempts = 0;
      this.announce("state", { connected: true });
      for (const message of this.wanted.values()) this.send(message);
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      this.heard = Date.now();
      const message = JSON.parse(event.data);
      this.announce(message.is, message);
    });
    socket.addEventListener("close", () => this.lost(socket));
  }

  lost(socket) {
    if (socket !== this.socket) return;
    this.socket = null;
    this.announce("state", { connected: false });
    const wait = PATIENCE[Math.min(this.attempts, PATIENCE.length - 1)];
    this.attempts += 1;
    this.timer = setTimeout(() => this.open(), wait);
  }

  announce(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  send(message) {
    if (this.connected) this.socket.send(JSON.stringify(message));
    return this.connected;
  }

  // Send what must be answered soon; a connection that says nothing is given up for a new one.
  ask(message) {
    const { socket } = this;
    const since = Date.now();
    if (!this.send(message)) return false;
    this.send({ do: "ping" });
    setTimeout(() => {
      if (socket !== this.socket || (this.heard ?? 0) >= since) return;
      socket.close();
      this.lost(socket);
    }, ANSWER);
    return true;
  }

  // Ask for something now and after every loss of the connection.
  want(name, message) {
    this.wanted.set(name, message);
    this.send(message);
  }

  forget(name, message = null) {
    this.wanted.delete(name);
    if (message) this.send(message);
  }

  next() {
    this.number += 1;
    return this.number;
  }

  check() {
    if (!this.socket) this.open();
    else if (Date.now() - (this.heard ?? 0) > SILENCE) this.ask({ do: "ping" });
  }
}

let only = null;

export function live() {
  if (!only) {
    only = new Live();
    setInterval(() => only.check(), SILENCE);
    addEventListener("online", () => only.check());
  }
  return only;
}
