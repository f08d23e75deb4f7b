import { describe, expect, it } from 'vitest'
import { FACTS } from '../testing/browser-facts.ts'
import { createTokeniser } from './tokenise.ts'
import { answer, createService, READY, TOKEN } from '../testing/frame-page.ts'

const card = { card_number: '5111111111111118', expire_month: 1, expire_year: 2039, card_ccv: '100' }
const dropped = () => Promise.reject(new TypeError('Failed to fetch'))
const late = () => Promise.reject(new DOMException('late', 'TimeoutError'))
const waitingFor = (seconds: string) => () =>
  Promise.resolve(new Response('', { status: 429, headers: { 'retry-after': seconds } }))

/** A tokeniser whose clock runs only while it waits, or by `tryMs` with every try. */
function open(answers: (() => Promise<Response>)[], { online = true, tryMs = 0 } = {}) {
  const service = createService(...answers)
  const pauses: number[] = []
  let time = 0
  let keys = 0
  const { tokenise, forget } = createTokeniser(
    { url: READY.tokens_url, credentials: {} },
    {
      send: (url, init) => {
        time += tryMs
        return service.send(url, init)
      },
      elapsed: () => time,
      wait: (ms) => {
        pauses.push(ms)
        time += ms
        return Promise.resolve()
      },
      random: () => 0.5,
      facts: () => FACTS,
      createKey: () => `key-${String((keys += 1))}`,
      online: () => online,
    },
  )
  return { tokenise, forget, pauses, keys: service.keys, bodies: service.bodies }
}

it('a card forgotten meanwhile is not tried again, and the next one has a key of its own', async () => {
  const { tokenise, forget, keys } = open([
    () => {
      forget()
      return dropped()
    },
    answer(201),
  ])
  expect(await tokenise(card)).toMatchObject({ kind: 'fault', code: 'network_error', retryable: true })
  expect(keys).toEqual(['key-1'])
  expect(await tokenise(card)).toEqual({ kind: 'token', token: TOKEN })
  expect(keys).toEqual(['key-1', 'key-2'])
})

describe('a submit on a bad network', () => {
  it.each([
    ['dropped once', [dropped, answer(201)], [600]],
    ['late, then a fault', [late, answer(503), answer(201)], [600, 2000]],
    ['under way already', [answer(409, { code: 'request_in_progress', message: 'm' }), answer(201)], [600]],
    ['told to wait a little', [waitingFor('3'), answer(201)], [3000]],
  ])('%s is tried again with one key', async (_what, answers, pauses) => {
    const { tokenise, ...seen } = open(answers)
    expect(await tokenise(card)).toEqual({ kind: 'token', token: TOKEN })
    expect(seen.pauses).toEqual(pauses)
    expect(seen.keys).toEqual(answers.map(() => 'key-1'))
  })

  it.each([
    ['network_error', [dropped, dropped, dropped, answer(201)], 3],
    ['rate_limited', [waitingFor('60'), answer(201)], 1],
    ['rate_limited', [waitingFor('soon'), answer(201)], 1],
    ['unauthorized', [answer(401), answer(201)], 1],
  ])('ends as %s', async (code, answers, tries) => {
    const { tokenise, keys } = open(answers)
    expect(await tokenise(card)).toMatchObject({ kind: 'fault', code })
    expect(keys).toHaveLength(tries)
  })

  it('ends within 40 s, pauses and all', async () => {
    const { tokenise, keys } = open([late, late, late, answer(201)], { tryMs: 19_800 })
    expect(await tokenise(card)).toMatchObject({ kind: 'fault', code: 'timeout' })
    expect(keys).toHaveLength(2)
  })

  it('that the browser denies is tried all the same: a browser can be wrong', async () => {
    const { tokenise, keys } = open([answer(201)], { online: false })
    expect(await tokenise(card)).toMatchObject({ kind: 'token' })
    expect(keys).toHaveLength(1)
  })

  it.each([
    ['no network', [dropped, dropped, dropped], 'offline'],
    ['a slow service', [late, late, late], 'timeout'],
    ['a fault of the service', [answer(503), answer(503), answer(503)], 'system_error'],
  ])(
    'that the browser denies is why a try was in vain only where it may be: %s',
    async (_, answers, code) => {
      const { tokenise } = open(answers, { online: false })
      expect(await tokenise(card)).toMatchObject({ kind: 'fault', code, retryable: true })
    },
  )
})

describe('the key of a submit', () => {
  it('stays for the same content until there is an answer, and is new for other content', async () => {
    const { tokenise, keys } = open([
      dropped,
      dropped,
      dropped,
      answer(201),
      answer(201),
      dropped,
      answer(201),
    ])
    await tokenise(card)
    await tokenise(card)
    expect(new Set(keys)).toEqual(new Set(['key-1']))
    await tokenise(card)
    await tokenise({ ...card, card_ccv: '101' })
    expect(keys.slice(4)).toEqual(['key-2', 'key-3', 'key-3'])
  })
})
