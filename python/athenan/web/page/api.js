// The HTTP side of the server. A refusal is one sentence, thrown as an Error.

async function asked(path, options = {}) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The server does not answer.");
  }
  const type = response.headers.get("content-type") ?? "";
  const body = type.includes("json") ? await response.json() : await response.text();
  if (!response.ok) throw new Error(body.error ?? `The server refused (${response.status}).`);
  return body;
}

export const get = (path) => asked(path);

export const post = (path, message = {}) =>
  asked(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(message),
  });

let offered = null;

export function offer(anew = false) {
  if (anew || !offered) offered = get("/api/offer").catch((problem) => { offered = null; throw problem; });
  return offered;
}

export const position = (game, start, moves) =>
  post("/api/position", { game, position: start || null, moves });
