import type { ExampleRequest } from './example-request.ts'

/** The command that makes a request: with the keys and ids in variables it can be run as it stands. */
export function curlExample({ method, url, headers, basic, body }: ExampleRequest): string {
  const isImplied = method === 'GET' || (method === 'POST' && body !== undefined)
  return [
    `curl ${isImplied ? '' : `-X ${method} `}"${url}"`,
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    ...(basic ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...dataOf(body),
  ].join(' \\\n  ')
}

function dataOf(body: ExampleRequest['body']): string[] {
  if (body === undefined) return []
  if (body.form !== undefined) {
    return Object.entries(body.form).map(([name, value]) => `--data-urlencode "${name}=${value}"`)
  }
  return [`-d "${JSON.stringify(body.json, null, 2).replace(/["\\`]/g, '\\$&')}"`]
}
