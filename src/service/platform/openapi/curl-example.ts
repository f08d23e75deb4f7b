import type { Operation } from '../http/operation.ts'

/** The header that carries each kind of key, with the name that README.md and docs/checkout.md give it. */
const KEY_HEADERS: Readonly<Record<Exclude<Operation['key'], 'none'>, string>> = {
  public: 'x-user-public-key: $PUBLIC_KEY',
  secret: 'x-user-secret-key: $SECRET_KEY',
  oauth: 'authorization: Bearer $ACCESS_TOKEN',
  checkout: 'authorization: Bearer $INTENT_TOKEN',
  metrics: 'authorization: Bearer $SVC_METRICS_TOKEN',
}

/** The command that makes a request: with the keys and ids in variables it can be run as it stands. */
export function curlExample(method: string, url: string, operation: Operation): string {
  const address = url.replace(/\{(\w+)\}/g, (_text, name: string) => `$${name.toUpperCase()}`)
  const lines = [
    `curl ${method === 'GET' || (method === 'POST' && operation.body !== undefined) ? '' : `-X ${method} `}"${address}"`,
    ...(operation.key === 'none' ? [] : [`-H "${KEY_HEADERS[operation.key]}"`]),
    ...(operation.isRepeatable === true ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
  ]
  if (operation.body?.isForm === true) {
    lines.push('-u "$CLIENT_ID:$CLIENT_SECRET"', ...formOf(operation.body.example))
  } else if (operation.body !== undefined) {
    const body = JSON.stringify(operation.body.example).replace(/["\\`]/g, '\\$&')
    lines.push("-H 'content-type: application/json'", `-d "${body}"`)
  }
  return lines.join(' \\\n  ')
}

function formOf(example: unknown): string[] {
  const fields = typeof example === 'object' && example !== null ? Object.entries(example) : []
  return fields.map(([name, value]) => `--data-urlencode "${name}=${String(value)}"`)
}
