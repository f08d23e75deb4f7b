/** Encodings that files are kept in beside the plain one, the smallest first. */
export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number] | 'identity'

/**
 * The best encoding that an `Accept-Encoding` allows (RFC 9110 §12.5.3) among those that are there. One that refuses
 * the plain text too gets it all the same.
 */
export function encodingFor(accepted: string | undefined, has: (encoding: Encoding) => boolean): Encoding {
  if (accepted === undefined) return 'identity'
  const weights = weightsOf(accepted)
  const isAccepted = (encoding: string) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
  return ENCODINGS.find((encoding) => has(encoding) && isAccepted(encoding)) ?? 'identity'
}

function weightsOf(accepted: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const item of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice('q='.length)))
  }
  return weights
}
