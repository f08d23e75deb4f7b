import { expect } from '@playwright/test'
import { Dashboard } from '../pages/dashboard.ts'
import { DASHBOARD_URL, PAGE_URL } from '../world/addresses.ts'
import { serveMerchantPage } from '../world/merchant-page.ts'
import { browserOf, join, somebody } from '../world/people.ts'
import { test } from './as-owner.ts'

const invitation = { email: 'mallory@evil.example', role: 'owner' }

// To a browser all ports of `localhost` are one site, so it sends the cookie along with this page's requests.
const forgery = `<!doctype html><title>A prize</title>
<form method="post" action="${DASHBOARD_URL}/api/team/invitations" enctype="text/plain" target="answer">
<input name='{"email":"mallory@evil.example","role":"owner","x":"' value='"}'></form>
<iframe name="answer"></iframe><iframe src="${DASHBOARD_URL}/team" title="framed"></iframe>`

test('a page of another origin can do nothing with its visitor’s session', async ({ browser, owner }) => {
  const context = await browserOf(browser, owner.person, owner.state)
  const page = await context.newPage()
  const stop = await serveMerchantPage({ files: { '/prize': forgery } })
  const answers: string[] = []
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url())
    if (answer.request().method() === 'POST') answers.push(`${pathname} ${answer.status()}`)
  })
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.goto(`${PAGE_URL}/prize`)
  await page.evaluate(() => document.forms[0]?.submit())
  expect((await (await sent).allHeaders())['cookie']).toContain('svc_session=')
  const read = await page.evaluate(
    async ({ url, body }) => {
      const options = { method: 'POST', credentials: 'include', body: JSON.stringify(body) } as const
      const tries = [
        fetch(`${url}/api/team/invitations`, { ...options, mode: 'no-cors' }).then(({ type }) => type),
        fetch(`${url}/api/team/invitations`, {
          ...options,
          headers: { 'content-type': 'application/json' },
        }).then(({ type }) => type),
        fetch(`${url}/api/team`, { credentials: 'include' }).then((answer) => answer.text()),
      ]
      return (await Promise.allSettled(tries)).map((tried) =>
        tried.status === 'fulfilled' ? tried.value : 'refused',
      )
    },
    { url: DASHBOARD_URL, body: invitation },
  )
  expect(read).toEqual(['refused', 'refused', 'refused'])
  await expect.poll(() => answers).toContain('/api/team/invitations 403')
  expect(page.frames().some((frame) => frame.url() === `${DASHBOARD_URL}/team`)).toBe(false)

  const dashboard = new Dashboard(page)
  await dashboard.open('/team', 'Team')
  await expect(dashboard.content).toContainText(owner.person.email)
  await expect(dashboard.content).not.toContainText(invitation.email)
  await context.close()
  await stop()
})

test('a stolen cookie is useless after sign-out, and an earlier one after sign-in', async ({
  merchant,
  browser,
}) => {
  const { person, state } = await join(merchant, 'developer', 'Theo Theft')
  const victim = await browserOf(browser, person, state)
  const thief = await browserOf(browser, somebody('Thea Thief'), state)
  const headers = { origin: DASHBOARD_URL }
  const statusOf = async () => (await thief.request.get('/api/session')).status()
  expect(await statusOf()).toBe(200)
  const { email, password } = person
  const answer = await victim.request.post('/api/session', { headers, data: { email, password } })
  expect(answer.status()).toBe(201)
  expect(await statusOf()).toBe(401)
  const renewed = await victim.cookies(DASHBOARD_URL)
  expect(renewed[0]?.value).not.toBe(state.cookies[0]?.value)
  await thief.addCookies(renewed)
  expect(await statusOf()).toBe(200)
  await victim.request.delete('/api/session', { headers: { ...headers, 'content-type': 'application/json' } })
  expect(await statusOf()).toBe(401)
  await Promise.all([victim.close(), thief.close()])
})

test('guessing passwords is slowed down, and no answer shows whether the account exists', async ({
  merchant,
  browser,
}) => {
  const { person } = await join(merchant, 'viewer', 'Gus Guessed')
  const heard = []
  for (const target of [person, somebody('Nobody There')]) {
    const guesser = await browserOf(browser, somebody('Mallory'))
    const guess = async () => {
      const data = { email: target.email, password: 'a wrong password' }
      const answer = await guesser.request.post('/api/session', { headers: { origin: DASHBOARD_URL }, data })
      return `${answer.status()} ${await answer.text()}`
    }
    const answers = []
    for (let guesses = 0; guesses < 11; guesses += 1) answers.push(await guess())
    heard.push(answers.join('\n'))
    await guesser.close()
  }
  expect(heard[0]).toContain('401')
  expect(heard[0]).toContain('429')
  expect(heard[1]).toBe(heard[0])
})
