/** Digits and letters in another form of Unicode, which looks nearly the same. */
const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))
const percent = (text: string) =>
  text.replace(/[^]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`)
const inJson = (text: string) =>
  text.replace(/[^]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
const between = (separator: string) => (text: string) => text.split('').join(separator)
const byFours = (text: string) => (text.match(/.{1,4}/g) ?? []).join(' ')

/** Ways to write a secret (ASCII) that leave it whole: whoever reads them has it. */
export const SPELLINGS: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in a sentence': (secret) => `paid by ${secret}, thanks`,
  'glued to digits': (secret) => `order=7${secret}7`,
  'in an address': (secret) => `https://shop.example/hook?of=${secret}&x=1`,
  'by fours': byFours,
  'with spaces': between(' '),
  'with dots': between('.'),
  'with lines': (secret) => `${secret.slice(0, 30)}\n${secret.slice(30)}`,
  'folded, with an indent': (secret) =>
    `${secret.slice(0, 30)}\r\n            ${secret.slice(30, 36)}\n\n\t\t\t\t\t\t\t\t${secret.slice(36)}`,
  'glued to letters': (secret) => `key${secret}x`,
  'with zero-width spaces': between('\u200b'),
  'with soft hyphens': between('\u00ad'),
  'full-width': fullWidth,
  'percent-encoded': percent,
  'percent-encoded twice': (secret) => percent(percent(secret)),
  'escaped in JSON': inJson,
  'escaped in JSON within JSON': (secret) => JSON.stringify({ a: inJson(secret) }),
  'as HTML': (secret) => secret.replace(/[^]/g, (one) => `&#${one.charCodeAt(0)};`),
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'in base64url within a text': (secret) => `x/${Buffer.from(`id:${secret}`).toString('base64url')}?`,
  'in base64 behind a letter': (secret) => `z${Buffer.from(secret).toString('base64')}`,
  'in hex': (secret) => Buffer.from(secret).toString('hex'),
  'in hex with colons': (secret) => (Buffer.from(secret).toString('hex').match(/../g) ?? []).join(':'),
}

/** Ways that are another secret where letters of both cases are meant: for tokens, which are hex digits. */
export const SPELLINGS_OF_TOKENS: typeof SPELLINGS = {
  ...SPELLINGS,
  'in capitals': (token) => token.toUpperCase(),
  'without hyphens': (token) => token.replaceAll('-', ''),
  'in capitals, with spaces': (token) => byFours(token.replaceAll('-', '').toUpperCase()),
  'in slashes': (token) => token.replaceAll('-', '/'),
  'as bytes in base64': (token) => Buffer.from(token.replaceAll('-', ''), 'hex').toString('base64'),
  'as bytes in base64url, within a text': (token) =>
    `of ${Buffer.from(token.replaceAll('-', ''), 'hex').toString('base64url')}.`,
}
