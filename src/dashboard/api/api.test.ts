import { describe, expect, it, vi } from 'vitest'
import * as v from 'valibot'
import { createService, data, noAnswer, refusal } from '../testing/answers.ts'
import type { Answers } from '../testing/answers.ts'
import { createApi, failureOf } from './api.ts'

const Thing = v.object({ name: v.string() })
const lamp = data({ name: 'lamp' })
const change = { method: 'POST', path: '/api/things', body: { name: 'lamp' }, answer: Thing } as const

/** `online`: whether the device is, each time it is asked; the last holds for ever. */
function start(answers: Answers, { online = [true], knowsPassword = true, isAttended = true } = {}) {
  const service = createService(answers)
  const checkSession = vi.fn()
  let time = 0
  const confirmPassword = vi.fn(() => Promise.resolve(knowsPassword))
  let keys = 0
  let asked = 0
  const api = createApi({
    browser: {
      send: service.send,
      createKey: () => `key-${String((keys += 1))}`,
      online: () => online[Math.min(asked++, online.length - 1)] ?? true,
      now: () => time,
    },
    checkSession,
    isAttended: () => isAttended,
    inView: () => 'grace marlow',
    confirmPassword,
  })
  return { ...service, api, checkSession, confirmPassword, wait: (ms: number) => (time += ms) }
}

describe('a read', () => {
  it('gives data that its schema has parsed, and where the next page begins', async () => {
    const { api } = start({ 'GET /api/things': data([{ name: 'lamp', more: 1 }], { next: 'c2' }) })
    expect(await api.read('/api/things', v.array(Thing))).toMatchObject({
      kind: 'done',
      data: [{ name: 'lamp' }],
      next: 'c2',
    })
  })

  it.each([
    ['no connection', noAnswer, 'unreachable', true],
    ['data of another shape', data({ title: 1 }), 'unreadable_answer', true],
    ['no envelope', () => Promise.resolve(new Response('<html>')), 'unreadable_answer', true],
    ['a fault of the service', refusal(500, 'system_error', 'x'), 'system_error', true],
    ['a refusal', refusal(404, 'not_found', 'There is no such thing.'), 'not_found', false],
  ])('that meets %s fails in words', async (_, answer, code, isUnknown) => {
    const { api } = start({ 'GET /api/things': answer })
    const outcome = await api.read('/api/things', Thing)
    expect(outcome).toMatchObject({ kind: 'failed', failure: { code, isUnknown } })
    expect(outcome.kind === 'failed' && outcome.failure.words).toMatch(/^[A-Z].*\.$/)
  })

  it('says that the device is offline, where it is', async () => {
    const { api } = start({ 'GET /api/things': noAnswer }, { online: [false] })
    expect(await api.read('/api/things', Thing)).toMatchObject({
      failure: { code: 'offline', isUnknown: false },
    })
  })

  it('of somebody whose session has ended says so', async () => {
    const { api, checkSession } = start({ 'GET /api/things': refusal(401, 'unauthorized', 'Sign in.') })
    await api.read('/api/things', Thing)
    expect(checkSession).toHaveBeenCalledOnce()
  })
})

describe('a read ahead', () => {
  const other = data({ name: 'chair' })
  it.each([
    ['its answer is taken, once', [lamp, other], 0, ['lamp', 'chair'], 2],
    [
      'what was refused is asked for again',
      [refusal(401, 'unauthorized', 'Sign in.'), lamp],
      0,
      ['lamp', 'lamp'],
      3,
    ],
    ['what is old is asked for again', [lamp, other], 5_000, ['chair', 'chair'], 3],
  ])('%s', async (_, answers, age, names, requests) => {
    const { api, sent, wait } = start({ 'GET /api/things': answers })
    api.readAhead('/api/things')
    wait(age)
    for (const name of names)
      expect(await api.read('/api/things', Thing)).toMatchObject({ kind: 'done', data: { name } })
    expect(sent).toHaveLength(requests)
  })

  it('is not the answer to another path', async () => {
    const { api } = start({ 'GET /api/things': lamp, 'GET /api/others': other })
    api.readAhead('/api/things')
    expect(await api.read('/api/others', Thing)).toMatchObject({ data: { name: 'chair' } })
  })
})

it('a change that takes long, such as a file, is given up after its own time', async () => {
  const send: typeof globalThis.fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('over', 'TimeoutError')))
    })
  const api = createApi({
    browser: { send, createKey: () => 'key', online: () => true, now: () => 0 },
    isAttended: () => true,
    inView: () => null,
    checkSession: () => undefined,
    confirmPassword: () => Promise.resolve(true),
  })
  expect(await api.change({ ...change, timeoutMs: 5 })).toMatchObject({ failure: { code: 'timeout' } })
})

describe('a change', () => {
  it('is JSON under a new key, or under the one that is given', async () => {
    const { api, sent } = start({ 'POST /api/things': lamp })
    await api.change(change)
    await api.change(change)
    await api.change({ ...change, key: 'mine' })
    expect(sent.map(({ key }) => key)).toEqual(['key-1', 'key-2', 'mine'])
    expect(sent[0]?.body).toEqual({ name: 'lamp' })
  })

  it('that needs the password is sent again once it was given', async () => {
    const needsPassword = refusal(403, 'password_required', 'Confirm your password.')
    const { api, sent, confirmPassword } = start({ 'POST /api/things': [needsPassword, lamp] })
    expect(await api.change(change)).toMatchObject({ kind: 'done', data: { name: 'lamp' } })
    expect(confirmPassword).toHaveBeenCalledOnce()
    expect(sent.map(({ key }) => key)).toEqual(['key-1', 'key-1'])
  })

  it('is not sent again when the password is not given', async () => {
    const needsPassword = refusal(403, 'password_required', 'Confirm your password.')
    const { api, sent } = start({ 'POST /api/things': needsPassword }, { knowsPassword: false })
    expect(await api.change(change)).toMatchObject({ failure: { code: 'cancelled', isUnknown: false } })
    expect(sent).toHaveLength(1)
  })

  const cut = () => Promise.resolve(new Response('<html>'))
  it.each([
    ['that was begun without a network was not made', noAnswer, [false], 'offline', false],
    ['whose line was lost may have been made', noAnswer, [true, false], 'unreachable', true],
    ['begun as the line came back may have been made', noAnswer, [false, true], 'unreachable', true],
    ['that nothing answers may have been made', noAnswer, [true], 'unreachable', true],
    ['with half an answer may have been made', cut, [true], 'unreadable_answer', true],
    [
      'that meets a fault may have been made',
      refusal(500, 'system_error', 'x'),
      [true],
      'system_error',
      true,
    ],
  ])('%s, and the words say so', async (_, answer, online, code, isUnknown) => {
    // Routes of the dashboard alone look at no key: there a repeat may be carried out as well.
    for (const [path, isOnce] of [
      ['/api/things', false],
      ['/v1/things', true],
    ] as const) {
      const { api } = start({ [`POST ${path}`]: answer }, { online })
      const failure = failureOf(await api.change({ ...change, path }))
      expect(failure).toMatchObject({ code, isUnknown })
      expect(failure?.words.includes('unknown whether this was done')).toBe(isUnknown)
      expect(failure?.words.includes('done only once')).toBe(isUnknown && isOnce)
    }
  })

  it('says what is wrong with which field in whole sentences', async () => {
    const details = [{ path: 'name', message: 'must not be empty' }]
    const { api } = start({
      'POST /api/things': refusal(400, 'validation_error', 'the request is not valid', details),
    })
    expect(await api.change(change)).toMatchObject({
      failure: {
        words: 'The request is not valid.',
        details: [{ path: 'name', message: 'This must not be empty.' }],
      },
    })
  })
})
