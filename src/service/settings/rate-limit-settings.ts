import * as v from 'valibot'
import type { RateLimits } from '../platform/rate-limits.ts'

const count = v.optional(
  v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/, 'must be a whole number above 0'), v.transform(Number)),
)
/** How much one caller may do, as environment variables. */
export const rateLimitVariables = {
  SVC_RATE_LIMIT_PER_KEY: count,
  SVC_RATE_LIMIT_PER_ADDRESS: count,
  SVC_RATE_LIMIT_CARDS_PER_ADDRESS: count,
  SVC_RATE_LIMIT_WRONG_KEYS: count,
  SVC_RATE_LIMIT_WASTED_WORK: count,
}
type Settings = v.InferOutput<v.ObjectSchema<typeof rateLimitVariables, undefined>> & {
  SVC_ENVIRONMENT: string
}

/** In sandbox a load test of one machine must fit; wrong keys are as rare there as anywhere. */
export function rateLimitsOf(settings: Settings): RateLimits {
  const isSandbox = settings.SVC_ENVIRONMENT === 'sandbox'
  const rate = (set: number | undefined, inSandbox: number, elsewhere: number) => {
    const perSecond = set ?? (isSandbox ? inSandbox : elsewhere)
    return { perSecond, burst: 2 * perSecond }
  }
  const wastedMs = settings.SVC_RATE_LIMIT_WASTED_WORK ?? 100
  const wrongKeys = settings.SVC_RATE_LIMIT_WRONG_KEYS ?? 60
  return {
    perKey: rate(settings.SVC_RATE_LIMIT_PER_KEY, 50_000, 200),
    perAddress: rate(settings.SVC_RATE_LIMIT_PER_ADDRESS, 50_000, 400),
    cardsPerAddress: rate(settings.SVC_RATE_LIMIT_CARDS_PER_ADDRESS, 50_000, 20),
    wastedWorkPerAddress: { perSecond: wastedMs, burst: 10 * wastedMs },
    wrongKeysPerAddress: { perSecond: wrongKeys / 60, burst: wrongKeys },
  }
}
