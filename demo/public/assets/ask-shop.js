const FAILED = 'The shop cannot be reached. Check your connection, please.'

/**
 * Asks the shop's own server. Resolves to `{ ok, status, answer }`, with status 0 where no answer came; an answer that is not ok
 * always has a `message` for people.
 */
export async function askShop(path, body) {
  try {
    const response = await fetch(path, body === undefined ? undefined : post(body))
    const answer = await response.json()
    return { ok: response.ok, status: response.status, answer }
  } catch {
    return { ok: false, status: 0, answer: { message: FAILED } }
  }
}

function post(body) {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
