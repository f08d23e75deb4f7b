import { screen, waitFor, within } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import type { KeyView } from '../../../contract/dashboard/company/api-key.ts'
import type { ClientView } from '../../../contract/dashboard/company/oauth-client.ts'
import type { PciKit } from '../../../contract/dashboard/company/pci.ts'
import { data, refusal } from '../../testing/answers.ts'
import type { Answers } from '../../testing/answers.ts'
import { openDashboard, person, SESSION, sessionOf } from '../../testing/open-dashboard.ts'
import { securityTexts } from './texts.ts'

const PUBLIC: KeyView = {
  id: '00000000000000a1',
  kind: 'public',
  key: 'pk_sandbox_shown',
  created_at: '2026-11-01T09:00:00.000Z',
  last_used_at: '2026-11-21T07:00:00.000Z',
  ends_at: null,
  is_revoked: false,
}
const SECRET: KeyView = { ...PUBLIC, id: '00000000000000a2', kind: 'secret', key: null, last_used_at: null }
const CLIENT: ClientView = {
  id: 'client-1',
  scopes: ['payments:read'],
  issuer: null,
  created_at: '2026-11-01T09:00:00.000Z',
  revoked_at: null,
}
const KIT: PciKit = {
  release: '1.2.0',
  files: [],
  scripts: [
    {
      place: 'page',
      url: 'http://localhost:8080/sdk/1.2.0/widget.js',
      integrity: 'sha384-abc',
      purpose: 'Shows the card form.',
      assurance: 'Checked by the browser.',
    },
  ],
  script_tag: '<script src="…"></script>',
  content_security_policy: "script-src 'self'",
}
const COMPANY = { id: SESSION.merchant.id, name: SESSION.merchant.name, pre_auth: true }
const ORIGINS = { allowed_origins: ['https://shop.example'] }

const open = (answers: Answers = {}) =>
  openDashboard('/security', {
    answers: {
      'GET /api/keys': data([PUBLIC, SECRET]),
      'GET /api/origins': data(ORIGINS),
      'GET /api/clients': data([CLIENT]),
      'GET /api/company': data(COMPANY),
      'GET /api/pci': data(KIT),
      ...answers,
    },
  })
const section = async (name: string) => within(await screen.findByRole('region', { name }))
const dialog = () => within(screen.getByRole('dialog'))
const bodiesOf = (sent: { line: string; body: unknown }[], wanted: string) =>
  sent.filter(({ line }) => line === wanted).map(({ body }) => body)

describe('the keys', () => {
  const keys = () => section('Keys')
  const row = async (name: RegExp) => within(await (await keys()).findByRole('row', { name }))

  it('show the public one, when each was last used, and nothing of the secret one', async () => {
    await open()
    const cells = async (name: RegExp) =>
      (await row(name)).getAllByRole('cell').map(({ textContent }) => textContent)
    expect((await cells(/^Public/)).slice(1, 5)).toEqual([
      'pk_sandbox_shown',
      '1 Nov 2026',
      '3 hours ago',
      'Active',
    ])
    expect((await cells(/^Secret/)).slice(1, 4)).toEqual([
      'Shown once, when it was created',
      '1 Nov 2026',
      'Not yet',
    ])
  })

  it('are rolled with an overlap, and the new one is shown once', async () => {
    const made = { id: '00000000000000a3', key: 'sk_sandbox_new', ended: [] }
    const { sent } = await open({ 'POST /api/keys': data(made, { status: 201 }) })
    await person.click((await keys()).getByRole('button', { name: 'Roll secret key' }))
    await person.selectOptions(dialog().getByLabelText(securityTexts.overlap.label), 'One hour')
    await person.click(dialog().getByRole('button', { name: 'Roll secret key' }))
    expect(await dialog().findByText('sk_sandbox_new')).toBeDefined()
    expect(bodiesOf(sent, 'POST /api/keys')).toEqual([{ kind: 'secret', overlap_seconds: 3600 }])
    await person.click(dialog().getByRole('button', { name: 'Done' }))
    expect(document.body.innerHTML).not.toContain('sk_sandbox_new')
  })

  it('are revoked after a question, which says that it can’t be undone', async () => {
    const path = `DELETE /api/keys/${SECRET.id}`
    const { lines } = await open({ [path]: data({ ...SECRET, is_revoked: true }) })
    await person.click((await row(/^Secret/)).getByRole('button', { name: 'Revoke' }))
    expect(dialog().getByText(/cannot be undone/)).toBeDefined()
    expect(lines()).not.toContain(path)
    await person.click(dialog().getByRole('button', { name: 'Revoke' }))
    expect(await screen.findByText('The key was revoked.')).toBeDefined()
    expect(lines()).toContain(path)
  })

  it('ask for the password unless it was given lately, and then do what was asked', async () => {
    const made = { id: '00000000000000a3', key: 'pk_sandbox_new', ended: [] }
    const { sent } = await open({
      'POST /api/keys': [refusal(403, 'password_required', 'Password.'), data(made, { status: 201 })],
      'POST /api/session/confirm': data({ fresh_until: '2026-11-21T10:10:00.000Z' }, { status: 201 }),
    })
    await person.click((await keys()).getByRole('button', { name: 'Roll public key' }))
    await person.click(dialog().getByRole('button', { name: 'Roll public key' }))
    await person.type(await screen.findByLabelText('Password'), 'quiet river stone{Enter}')
    expect(await screen.findByText('pk_sandbox_new')).toBeDefined()
    expect(bodiesOf(sent, 'POST /api/session/confirm')).toEqual([{ password: 'quiet river stone' }])
  })
})

describe('the allowed origins', () => {
  it('are written one on a line, and a change can be undone with one press', async () => {
    const both = { allowed_origins: ['https://shop.example', 'https://other.example'] }
    const { sent } = await open({
      'GET /api/origins': [data(ORIGINS), data(both), data(both), data(ORIGINS)],
      'PUT /api/origins': [data(both), data(ORIGINS)],
    })
    const origins = await section('Allowed origins')
    await person.type(await origins.findByLabelText(/^Origins/), '\nhttps://other.example')
    await person.click(origins.getByRole('button', { name: 'Save origins' }))
    await person.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(bodiesOf(sent, 'PUT /api/origins')).toEqual([both, ORIGINS]))
    await screen.findByText('Taken back.')
    expect(origins.getByLabelText<HTMLTextAreaElement>(/^Origins/).value).toBe('https://shop.example')
  })
})

describe('the OAuth clients', () => {
  it('are made with scopes, and the secret is shown once', async () => {
    const made = { id: 'client-2', client_secret: 'cs_new', scopes: ['payments:read', 'payments:write'] }
    const { sent } = await open({ 'POST /api/clients': data(made, { status: 201 }) })
    await person.click(await screen.findByRole('button', { name: 'Create a client' }))
    await person.click(dialog().getByLabelText(/^Read agreements/))
    await person.click(dialog().getByLabelText(/^Make payments/))
    await person.click(dialog().getByRole('button', { name: 'Create a client' }))
    expect(await dialog().findByText('cs_new')).toBeDefined()
    expect(bodiesOf(sent, 'POST /api/clients')).toEqual([{ scopes: made.scopes }])
    await person.click(dialog().getByRole('button', { name: 'Done' }))
    expect(document.body.innerHTML).not.toContain('cs_new')
  })

  it('say what they are for where there is none', async () => {
    await open({ 'GET /api/clients': data([]) })
    expect(await screen.findByText(securityTexts.clients.none)).toBeDefined()
  })
})

it('the company gets another name, not an empty one', async () => {
  const { sent } = await open({ 'PATCH /api/company': data({ ...COMPANY, name: 'Marlow' }) })
  const company = await section('Company')
  const name = await company.findByLabelText('Name')
  await person.clear(name)
  await person.click(company.getByRole('button', { name: 'Save name' }))
  expect(company.getByText('Enter a name.')).toBeDefined()
  await person.type(name, ' Marlow ')
  await person.click(company.getByRole('button', { name: 'Save name' }))
  await screen.findByText('The name was saved.')
  expect(bodiesOf(sent, 'PATCH /api/company')).toEqual([{ name: 'Marlow' }])
})

it('the PCI kit has the script tag, the policy and the inventory of scripts as texts', async () => {
  await open()
  const kit = await section('PCI kit')
  expect(kit.getByText(KIT.script_tag)).toBeDefined()
  expect(kit.getByText(KIT.content_security_policy)).toBeDefined()
  expect(kit.getByRole('row', { name: /widget\.js Your page Shows the card form/ })).toBeDefined()
})

it('a viewer sees everything, but has no buttons that change anything', async () => {
  await open({ 'GET /api/session': data(sessionOf({ role: 'viewer' })) })
  expect(await screen.findByText('https://shop.example')).toBeDefined()
  expect(await screen.findByText('client-1')).toBeDefined()
  const change = /Roll|Revoke|Save|Make|New secret/
  expect(screen.queryByRole('button', { name: change })).toBeNull()
})
