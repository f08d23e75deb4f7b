/** A test card that the sandbox approves. */
export const CARD_NUMBER = '5111111111111118'

/** Calls of a merchant at a service, as its page and its server make them. `keys` is what `svc merchants add` shows. */
export function merchantAt(address, keys) {
  async function call(path, { key, body, method = body === undefined ? 'GET' : 'POST' }) {
    const headers = { 'content-type': 'application/json', ...key }
    const answer = await fetch(`${address}${path}`, { method, headers, body: JSON.stringify(body) })
    const { resource } = await answer.json()
    return { status: answer.status, data: resource?.data }
  }
  const secret = { 'x-user-secret-key': keys.secret_key }

  async function token() {
    const card = { card_number: CARD_NUMBER, expire_month: '01', expire_year: '39', card_ccv: '100' }
    const key = { 'x-user-public-key': keys.public_key }
    return (
      await call('/v1/payment_sources/tokens', {
        key,
        body: { type: 'card', card_name: 'Grace Hopper', ...card },
      })
    ).data
  }

  return {
    /** Holds an amount on a card that is typed now. An amount of 9000.92 is answered after 3 s. */
    async hold(amount) {
      const body = { amount, currency: 'AUD', token: await token(), reference: 'image-trial' }
      return call('/v1/charges?capture=false', { key: secret, body })
    },
    capture: (id, amount) => call(`/v1/charges/${id}/capture`, { key: secret, body: { amount } }),
    read: (id) => call(`/v1/charges/${id}`, { key: secret }),
  }
}
