import { encoded } from '../tokens/token-parts.ts'
import type { Forgery, Parts } from '../tokens/token-parts.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Signatures in which a bit, the length or the way of writing was changed. */
export function alteredSignatures({ head, body, signature }: Parts): Forgery[] {
  const bytes = Buffer.from(signature, 'base64url')
  const [r, s] = [bytes.subarray(0, 32), bytes.subarray(32)]
  const with_ = (name: string, text: string) => ({ name, token: `${head}.${body}.${text}` })
  const flipped = Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const altered = Buffer.from(bytes)
    altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    return with_(`bit ${String(bit)} of the signature`, altered.toString('base64url'))
  })
  const cut = Array.from({ length: bytes.length }, (_, length) =>
    with_(`${String(length)} bytes of the signature`, bytes.subarray(0, length).toString('base64url')),
  )
  // The last letter of 64 bytes carries two bits; the other four are left over.
  const others = Array.from(LETTERS).filter((letter) => letter !== signature.at(-1))
  const der = Buffer.concat([Buffer.from([0x30, 68, 2, 32]), r, Buffer.from([2, 32]), s])
  return [
    ...flipped,
    ...cut,
    ...others.map((letter) => with_(`last letter ${letter}`, `${signature.slice(0, -1)}${letter}`)),
    with_('DER', der.toString('base64url')),
    with_('hex', bytes.toString('hex')),
    with_('base64', bytes.toString('base64')),
    with_('padded', `${signature}==`),
    with_('r and s swapped', Buffer.concat([s, r]).toString('base64url')),
    with_('zeros', Buffer.alloc(64).toString('base64url')),
    with_('twice', `${signature}${signature}`),
    with_('one byte more', Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url')),
  ]
}

/** Texts that are not a signed token of three parts. */
export function otherShapes(token: string, { header, claims, head, body, signature }: Parts): Forgery[] {
  const json = JSON.stringify({ payload: body, protected: head, signature })
  const jwe = encoded({ alg: 'dir', enc: 'A256GCM', typ: 'at+jwt', kid: header['kid'] })
  const shapes: Readonly<Record<string, string>> = {
    'one part': head,
    'two dots and nothing': '..',
    'four parts': `${token}.${signature}`,
    'five parts': `${jwe}..AAAAAAAAAAAAAAAA.${body}.AAAAAAAAAAAAAAAAAAAAAA`,
    'no header': `.${body}.${signature}`,
    'no claims': `${head}..${signature}`,
    'no signature': `${head}.${body}.`,
    'parts swapped': `${body}.${head}.${signature}`,
    'the token twice': `${token}${token}`,
    'two tokens': `${token} ${token}`,
    'a list of two': `${token}, ${token}`,
    'a JSON serialisation': json,
    'a JSON serialisation, encoded': encoded(json),
    'upper case': token.toUpperCase(),
    quoted: `"${token}"`,
    'a space inside': token.replace('.', ' .'),
    'a tab before': `\t${token}`,
    'a percent-encoded dot': token.replace('.', '%2E'),
    'header padded': token.replace('.', '=.'),
    'header in base64': `${Buffer.from(JSON.stringify({ ...header, x: '???>>>' })).toString('base64')}.${body}.${signature}`,
    'header doubled by name': `${encoded(JSON.stringify(header).replace('{', '{"alg":"none",'))}.${body}.${signature}`,
    'header no JSON': `${encoded('alg=ES256')}.${body}.${signature}`,
    'header a list': `${encoded([header])}.${body}.${signature}`,
    'header null': `${encoded('null')}.${body}.${signature}`,
    'claims of 10 kB': `${head}.${encoded({ ...claims, x: 'x'.repeat(7500) })}.${signature}`,
    null: 'null',
    undefined: 'undefined',
  }
  return Object.entries(shapes).map(([name, shape]) => ({ name, token: shape }))
}
