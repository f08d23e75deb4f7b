import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEvents } from '../../../testing/event-source.ts'
import { createSignInBed } from '../testing/sign-in-bed.ts'
import type { SignInBed } from '../testing/sign-in-bed.ts'

let bed: SignInBed
beforeAll(async () => {
  bed = await createSignInBed()
})
afterAll(() => bed.service.close())

const REFUSED = { status: 401, error: { code: 'unauthorized' } }
const OK = { status: 200 }

describe('a session ends', () => {
  it('while its page goes on asking by itself: that is no use of it', async () => {
    const page = await bed.signedIn(await bed.addPerson())
    await bed.pass(60)
    for (let times = 0; times < 2; times += 1) {
      expect(await page.getUnattended('/api/session')).toMatchObject(OK)
      expect(await page.getUnattended('/v1/charges')).toMatchObject(OK)
      await bed.pass(30)
    }
    expect(await page.get('/v1/charges')).toMatchObject(REFUSED)
  })

  it('while its page listens to what happens: that is no use of it either', async () => {
    const page = await bed.signedIn(await bed.addPerson())
    const address = await bed.service.dashboard.app.listen({ port: 0, host: '127.0.0.1' })
    await bed.pass(60)
    const events = await openEvents(`${address}/api/live`, { cookie: `svc_session=${page.token ?? ''}` })
    expect(events.status).toBe(200)
    events.close()
    await bed.pass(60)
    expect(await page.get('/api/session')).toMatchObject(REFUSED)
  })
})
