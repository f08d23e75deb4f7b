import { URL_VARIABLE, variablesIn } from './example-request.ts'
import type { ExampleRequest } from './example-request.ts'

/** The same request from a server that runs Node, with nothing but what comes with it. */
export function nodeExample(request: ExampleRequest): string {
  const { method, url, headers, basic, body } = request
  const init = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...headerLines(headers, basic),
    ...(body === undefined ? [] : [`  body: ${bodyOf(body)},`]),
  ]
  return [
    `const answer = await fetch(${textOf(url)}${init.length === 0 ? ')' : ', {'}`,
    ...init,
    ...(init.length === 0 ? [] : ['})']),
    ...(request.answersEnvelope
      ? [
          'const { error, resource } = await answer.json()',
          'if (error) throw new Error(`${error.code}: ${error.message}`)',
          'console.log(resource)',
        ]
      : ['console.log(await answer.text())']),
  ].join('\n')
}

function headerLines(headers: ExampleRequest['headers'], basic: boolean): string[] {
  const lines = headers.map(([name, value]) => `    ${keyOf(name)}: ${textOf(value)},`)
  if (basic) {
    lines.push('    authorization: `Basic ${btoa(`${process.env.CLIENT_ID}:${process.env.CLIENT_SECRET}`)}`,')
  }
  return lines.length === 0 ? [] : ['  headers: {', ...lines, '  },']
}

const keyOf = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`)

function bodyOf({ form, json }: NonNullable<ExampleRequest['body']>): string {
  return form === undefined
    ? `JSON.stringify(${literal(json, '  ')})`
    : `new URLSearchParams(${literal(form, '  ')})`
}

/** A text as JavaScript has it, with variables of the shell as those of the process. */
function textOf(text: string): string {
  const [first] = variablesIn(text)
  if (first === undefined) return `'${text.replace(/['\\]/g, '\\$&')}'`
  if (text === `$${first}`) return `process.env.${first}`
  return `\`${text.replace(URL_VARIABLE, (_, name: string) => '${process.env.' + name + '}')}\``
}

/** A value as JavaScript has it; a line for each entry of what is longer than one. Variables of the shell are those of the process. */
export function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return textOf(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((one: unknown) => literal(one, inner))
    : Object.entries(value).map(([name, one]) => `${keyOf(name)}: ${literal(one, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }']
  const short = `${open}${parts.join(', ')}${close}`
  if (short.length + indent.length <= 76 && !short.includes('\n')) return short
  return `${open.trim()}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close.trim()}`
}
