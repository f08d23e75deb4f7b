import { afterEach, describe, expect, it, vi } from 'vitest'
import { Canvas3ds } from './canvas-3ds.ts'
import { FakeFrame } from './testing/fake-frame.ts'
import { callLoosely, ORIGIN, useWidgetPage } from './testing/widget-page.ts'

const ASKED = { id: '6b01799184f819f4cecbe1b2', token: 'secret-of-the-step' }

const made: Canvas3ds[] = []
useWidgetPage()
afterEach(() => {
  for (const canvas of made.splice(0)) canvas.destroy()
})

const make = (given: unknown) => {
  const canvas: unknown = Reflect.construct(Canvas3ds, ['#card', given])
  if (!(canvas instanceof Canvas3ds)) throw new Error('This is no canvas.')
  made.push(canvas)
  return canvas.setEnv('sandbox', ORIGIN)
}

/** A canvas whose document is there. */
async function shown(prepare: (canvas: Canvas3ds) => void = () => undefined, room?: 'screen') {
  const canvas = make(ASKED)
  prepare(canvas)
  const loaded = canvas.load(room && { room })
  const frame = new FakeFrame().load()
  frame.emit({ event: 'afterLoad' })
  await loaded
  return { canvas, frame }
}

describe('the step of a bank in an element', () => {
  it('is in a frame of the service, and its token is in no address', async () => {
    const { frame } = await shown((canvas) => canvas.setLanguage('fr'))
    const { pathname, search } = new URL(frame.element.src)
    expect(pathname).toMatch(/^\/sdk\/v[^/]+\/authentication$/)
    expect(search).toBe(`?authentication_id=${ASKED.id}&language=fr`)
    expect(frame.element.outerHTML).not.toContain(ASKED.token)
    expect(frame.element.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-forms')
    expect([frame.greeting.token, frame.greeting.origin]).toEqual([ASKED.token, ORIGIN])
  })

  it('tells how it ends, and what is going on', async () => {
    const heard: unknown[] = []
    const { canvas, frame } = await shown()
    canvas
      .on('chargeAuthInfo', ({ info }) => heard.push(info))
      .on('chargeAuthSuccess', ({ authentication_id, status }) => heard.push([authentication_id, status]))
      .on('error', ({ error }) => heard.push(error.code))
    frame.emit({ event: 'chargeAuthInfo', authentication_id: ASKED.id, info: 'challenge' })
    frame.emit({ event: 'systemError', error: { code: 'not_found', message: 'm', retryable: false } })
    frame.emit({ event: 'chargeAuthSuccess', authentication_id: ASKED.id, status: 'authenticated' })
    await vi.waitFor(() => expect(heard).toEqual(['challenge', 'not_found', [ASKED.id, 'authenticated']]))
  })

  it('tells once how it ends, though a document that the page moves says so again', async () => {
    const heard: unknown[] = []
    const { canvas, frame } = await shown()
    canvas
      .on('chargeAuthSuccess', ({ event }) => heard.push(event))
      .on('chargeAuthInfo', ({ info }) => heard.push(info))
    const end = { event: 'chargeAuthSuccess', authentication_id: ASKED.id, status: 'authenticated' }
    frame.emit(end)
    await vi.waitFor(() => expect(heard).toEqual(['chargeAuthSuccess']))
    frame.load()
    frame.emit({ event: 'afterLoad' })
    frame.emit(end)
    const again = vi.fn()
    canvas.on('chargeAuthSuccess', again)
    frame.emit(end)
    await vi.waitFor(() => expect(again).toHaveBeenCalled())
    expect(heard).toEqual(['chargeAuthSuccess'])
  })

  it('drops what is no event of it, such as one with more fields', async () => {
    const heard = vi.fn()
    const { canvas, frame } = await shown()
    canvas.on('chargeAuthSuccess', heard).on('chargeAuthReject', heard)
    const end = { event: 'chargeAuthSuccess', authentication_id: ASKED.id }
    frame.emit(end)
    frame.emit({ ...end, status: 'authenticated', cavv: 'AAAB' })
    frame.emit({ ...end, event: 'chargeAuthReject', status: 'failed' })
    await vi.waitFor(() => expect(heard.mock.calls).toMatchObject([[{ event: 'chargeAuthReject' }]]))
  })

  it('is as high as its content, or as its element where that is the screen', async () => {
    const { frame } = await shown()
    frame.emit({ event: 'resize', height: 612, width: 500 })
    await vi.waitFor(() => expect(frame.element.style.height).toBe('612px'))
    const full = await shown(undefined, 'screen')
    full.frame.emit({ event: 'resize', height: 3000, width: 300 })
    full.frame.emit({ event: 'chargeAuthInfo', authentication_id: ASKED.id, info: 'slow' })
    const slow = vi.fn()
    full.canvas.on('chargeAuthInfo', slow)
    await vi.waitFor(() => expect(slow).toHaveBeenCalled())
    expect([full.frame.element.src.includes('room=screen'), full.frame.element.style.height]).toEqual([
      true,
      '100%',
    ])
  })

  it('asks by the page’s wish whether to give up, and takes the focus', async () => {
    const { canvas, frame } = await shown()
    canvas.focus().cancel()
    await vi.waitFor(() => expect(frame.commands).toEqual([{ command: 'focus' }, { command: 'cancel' }]))
  })

  it('asks as soon as it is there what was wished before that', async () => {
    const canvas = make(ASKED)
    const loaded = canvas.load({ room: 'dialog' })
    canvas.cancel()
    const frame = new FakeFrame().load()
    expect([frame.commands, frame.element.src.includes('room=dialog')]).toEqual([[], true])
    frame.emit({ event: 'afterLoad' })
    await loaded
    await vi.waitFor(() => expect(frame.commands).toEqual([{ command: 'cancel' }]))
  })

  it.each([undefined, null, 'token', {}, { id: ASKED.id }, { token: ASKED.token }])(
    'throws at once where %j is no `_3ds`',
    (given) => {
      expect(() => make(given)).toThrow('Pass the _3ds of the charge: its id and token.')
    },
  )

  it('refuses the name of an event that it has not', () => {
    expect(() => callLoosely(make(ASKED), 'on', 'finish')).toThrow(
      'Unknown event "finish". Known: chargeAuthSuccess, chargeAuthReject, chargeAuthCancelled, chargeAuthInfo, error.',
    )
  })

  it('says a fault that nobody listens to in the console, and nothing after it is gone', async () => {
    const { canvas, frame } = await shown()
    const logged = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const heard = vi.fn()
    frame.emit({ event: 'systemError', error: { code: 'not_found', message: 'Gone.', retryable: false } })
    await vi.waitFor(() => expect(logged).toHaveBeenCalledWith('[svc] Gone. (not_found)'))
    canvas.on('chargeAuthSuccess', heard).off('chargeAuthSuccess', heard)
    canvas.destroy()
    expect(document.querySelector('iframe')).toBeNull()
  })
})
