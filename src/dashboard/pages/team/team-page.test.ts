import { screen, waitFor, within } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { data, later, noAnswer, refusal } from '../../testing/answers.ts'
import type { Answers } from '../../testing/answers.ts'
import { openDashboard, person, SESSION, sessionOf } from '../../testing/open-dashboard.ts'

const ADA = '6b01799184f819f4cecbe1a2'
const INVITATION = '6b01799184f819f4cecbe1a3'
const TEAM = {
  members: [
    {
      id: SESSION.user.id,
      email: 'grace@marlow.example',
      name: 'Grace Hopper',
      role: 'owner',
      has_second_factor: true,
      last_seen_at: '2026-11-21T09:00:00Z',
    },
    {
      id: ADA,
      email: 'ada@marlow.example',
      name: 'Ada Lovelace',
      role: 'viewer',
      has_second_factor: false,
      last_seen_at: null,
    },
  ],
  invitations: [
    {
      id: INVITATION,
      email: 'joan@marlow.example',
      role: 'developer',
      created_at: '2026-11-21T09:00:00Z',
      expires_at: '2026-11-28T09:00:00Z',
      invited_by: null,
    },
  ],
}

const open = (answers: Answers = {}) =>
  openDashboard('/team', { answers: { 'GET /api/team': data(TEAM), ...answers } })
const rowOf = async (name: RegExp) => within(await screen.findByRole('row', { name }))
const dialog = () => within(screen.getByRole('dialog'))

describe('the team', () => {
  it('is listed with what each may do', async () => {
    await open()
    const ada = await rowOf(/Ada Lovelace/)
    expect(ada.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
      'Ada Lovelace ada@marlow.example',
      'Viewer',
      'Off',
      'Never',
      'Change roleRemove',
    ])
    expect((await rowOf(/joan@/)).getByText('The operator')).toBeDefined()
  })

  it('can be tried again when it could not be read', async () => {
    await open({ 'GET /api/team': [noAnswer, data(TEAM)] })
    expect((await screen.findByRole('alert')).textContent).toContain('can’t be reached')
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await rowOf(/Ada Lovelace/)
  })

  it('can only be read by a viewer', async () => {
    await open({ 'GET /api/session': data(sessionOf({ role: 'viewer' })) })
    await rowOf(/Ada Lovelace/)
    const main = within(screen.getByRole('main'))
    expect(main.queryAllByRole('button')).toEqual([])
  })
})

describe('an owner', () => {
  it('invites somebody and is shown the link once', async () => {
    const link = 'http://localhost:8070/invitation#abc'
    const { sent, copied } = await open({
      'POST /api/team/invitations': data(
        { id: INVITATION, link, expires_at: '2026-11-28T10:00:00Z' },
        { status: 201 },
      ),
    })
    await person.click(await screen.findByRole('button', { name: 'Invite' }))
    await person.type(dialog().getByLabelText('E-mail'), 'joan@marlow.example')
    await person.click(dialog().getByLabelText('Viewer'))
    await person.click(dialog().getByRole('button', { name: 'Create a link' }))
    await screen.findByText(link)
    expect(sent.find(({ line }) => line === 'POST /api/team/invitations')?.body).toEqual({
      email: 'joan@marlow.example',
      role: 'viewer',
    })
    await person.click(dialog().getByRole('button', { name: 'Copy Link' }))
    expect(copied).toEqual([link])
    await person.click(dialog().getByRole('button', { name: 'Done' }))
    expect(document.body.textContent).not.toContain(link)
  })

  it('changes a role', async () => {
    const { sent } = await open({ [`PATCH /api/team/members/${ADA}`]: data(null) })
    await person.click((await rowOf(/Ada Lovelace/)).getByRole('button', { name: 'Change role' }))
    expect(dialog().getByLabelText<HTMLInputElement>('Viewer').checked).toBe(true)
    await person.click(dialog().getByLabelText('Developer'))
    await person.click(dialog().getByRole('button', { name: 'Save' }))
    await screen.findByText('The role was changed.')
    expect(sent.find(({ line }) => line.startsWith('PATCH'))?.body).toEqual({ role: 'developer' })
  })

  it('reads in the dialog why somebody can’t be removed', async () => {
    const words = 'The last owner stays.'
    await open({
      [`DELETE /api/team/members/${SESSION.user.id}`]: refusal(422, 'unfulfilled_condition', words),
    })
    await person.click((await rowOf(/Grace Hopper/)).getByRole('button', { name: 'Remove' }))
    await person.click(dialog().getByRole('button', { name: 'Remove' }))
    expect((await dialog().findByRole('alert')).textContent).toBe(words)
  })

  it('revokes an invitation once, however often the button is pressed', async () => {
    const { answer, give } = later(data(null))
    const { lines } = await open({ [`DELETE /api/team/invitations/${INVITATION}`]: answer })
    await person.dblClick((await rowOf(/joan@/)).getByRole('button', { name: 'Revoke' }))
    give()
    await screen.findByText('The invitation was revoked.')
    expect(lines().filter((line) => line.startsWith('DELETE'))).toHaveLength(1)
  })

  it('revokes an invitation', async () => {
    const { lines } = await open({ [`DELETE /api/team/invitations/${INVITATION}`]: data(null) })
    await person.click((await rowOf(/joan@/)).getByRole('button', { name: 'Revoke' }))
    await screen.findByText('The invitation was revoked.')
    await waitFor(() => expect(lines().filter((line) => line === 'GET /api/team')).toHaveLength(2))
  })
})
