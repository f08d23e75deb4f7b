import * as v from 'valibot'
import { Envelope } from '../../src/contract/api/envelope.ts'
import type { Answer, HttpApi } from './http-api.ts'

/** An API whose answers are counted, and checked for errors that a merchant may not see when nothing is wrong. */
export interface WatchedApi extends HttpApi {
  /** How many answers there were. */
  answers: () => number
  /** Answers that refuse a valid request. */
  faults: readonly string[]
}

export function watched(api: HttpApi): WatchedApi {
  const faults: string[] = []
  let answers = 0
  return {
    ...api,
    async send(call) {
      const answer = await api.send(call).catch((error: unknown) => {
        faults.push(`${call.method} ${call.path}: ${String(error)}`)
        throw error
      })
      answers += 1
      if (isFault(answer)) faults.push(`${call.method} ${call.path}: ${answer.status} ${answer.text}`)
      return answer
    },
    answers: () => answers,
    faults,
  }
}

/** The sandbox answers some amounts with an unknown outcome, which is no fault (contract §4, cents .68). */
function isFault({ status, text }: Answer): boolean {
  if (status === 401 || status === 403 || status === 429) return true
  return status >= 500 && v.parse(Envelope, JSON.parse(text)).error?.code !== 'outcome_unknown'
}
