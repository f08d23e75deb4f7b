import { screen, waitFor } from '@testing-library/preact'
import { expect, it } from 'vitest'
import { data, refusal } from '../testing/answers.ts'
import { openDashboard, person, SESSION } from '../testing/open-dashboard.ts'

const DUSK = { id: '6b01799184f819f4cecbe1a9', name: 'Dusk & Dawn' }
const atDusk = { ...SESSION, merchant: DUSK }
const refused = refusal(403, 'forbidden', 'Another merchant or person is in view since.')
const marlow = data({ id: SESSION.merchant.id, name: SESSION.merchant.name, pre_auth: true })

it('requests say which merchant and person the window shows, but for the one that asks who', async () => {
  const { sent } = await openDashboard('/team')
  await waitFor(() =>
    expect(sent).toMatchObject([
      { line: 'GET /api/session', inView: null },
      { line: 'GET /api/team', inView: `${SESSION.user.id} ${SESSION.merchant.id}` },
    ]),
  )
})

it('a window of another merchant than the session changes nothing, then shows the session’s', async () => {
  const { sent } = await openDashboard('/security', {
    answers: {
      'GET /api/session': [data(SESSION), data(atDusk)],
      'GET /api/company': [marlow, data({ id: DUSK.id, name: DUSK.name, pre_auth: true })],
      'PATCH /api/company': refused,
    },
  })
  const name = await screen.findByRole('textbox', { name: /name/i })
  await person.clear(name)
  await person.type(name, 'Marlow')
  await person.click(screen.getByRole('button', { name: /save/i }))
  await waitFor(() => expect(screen.getByRole('banner').textContent).toContain(DUSK.name))
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: /name/i })).toHaveProperty('value', DUSK.name),
  )
  expect(screen.getByText(/^Another window has gone to another merchant/)).toBeDefined()
  const [, change] = sent.filter(({ line }) => line.endsWith('/api/company'))
  expect(change).toMatchObject({ inView: `${SESSION.user.id} ${SESSION.merchant.id}` })
  expect(sent.at(-1)?.inView).toBe(`${SESSION.user.id} ${DUSK.id}`)
})

/** As by the browser's Back, which shows a page as it was left. */
const comeBack = () => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
const toldOf = () => screen.queryAllByText(/^Another window has gone to another merchant/).length

it('somebody who comes back to a window that follows is told, once', async () => {
  await openDashboard('/team', { answers: { 'GET /api/session': [data(SESSION), data(atDusk)] } })
  comeBack()
  comeBack()
  await waitFor(() => expect(screen.getByRole('banner').textContent).toContain(DUSK.name))
  expect(toldOf()).toBe(1)
})

it('several requests that are refused are told of once', async () => {
  const { lines } = await openDashboard('/profile', {
    answers: {
      'GET /api/session': [data(SESSION), data(atDusk)],
      'GET /api/sessions': [refused, data([])],
      'GET /api/user/passkeys': [refused, data([])],
    },
  })
  await waitFor(() => expect(screen.getByRole('banner').textContent).toContain(DUSK.name))
  expect(lines().filter((line) => line === 'GET /api/session')).toHaveLength(3)
  expect(toldOf()).toBe(1)
})

it('what was done for one merchant is not undone at another', async () => {
  const company = (name: string) => data({ id: DUSK.id, name, pre_auth: true })
  const { lines } = await openDashboard('/security', {
    answers: {
      'GET /api/session': [data(SESSION), data(SESSION), data(atDusk)],
      'GET /api/company': [marlow, company('Same')],
      'PATCH /api/company': company('Same'),
    },
  })
  const name = await screen.findByRole('textbox', { name: /name/i })
  await person.clear(name)
  await person.type(name, 'Same')
  await person.click(screen.getByRole('button', { name: /save/i }))
  const undo = await screen.findByRole('button', { name: 'Undo' })
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await waitFor(() => expect(screen.getByRole('banner').textContent).toContain(DUSK.name))
  await person.click(undo)
  await screen.findByText(/^Not taken back/)
  expect(lines().filter((line) => line === 'PATCH /api/company')).toHaveLength(1)
})

it('nor where that one comes into view while it is looked whether nobody has changed it since', async () => {
  let answerRead: (answer: Response) => void = () => undefined
  const company = (name: string) => data({ id: DUSK.id, name, pre_auth: true })
  const { lines } = await openDashboard('/security', {
    answers: {
      'GET /api/session': [data(SESSION), data(SESSION), data(atDusk)],
      'GET /api/company': [
        marlow,
        company('Same'),
        () => new Promise((resolve) => (answerRead = resolve)),
        company('Same'),
      ],
      'PATCH /api/company': company('Same'),
    },
  })
  const name = await screen.findByRole('textbox', { name: /name/i })
  await person.clear(name)
  await person.type(name, 'Same')
  await person.click(screen.getByRole('button', { name: /save/i }))
  await person.click(await screen.findByRole('button', { name: 'Undo' }))
  comeBack()
  await waitFor(() => expect(screen.getByRole('banner').textContent).toContain(DUSK.name))
  answerRead(await company('Same')())
  await screen.findByText(/^Not taken back/)
  expect(lines().filter((line) => line === 'PATCH /api/company')).toHaveLength(1)
})
