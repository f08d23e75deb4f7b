import { screen } from '@testing-library/preact'
import { expect, it, vi } from 'vitest'
import type { AgreementResource } from '../../../../../contract/api/agreements/agreement-resource.ts'
import { person } from '../../../../testing/open-dashboard.ts'
import { renderInApp } from '../../../../testing/render-in-app.tsx'
import { AmendTextsForm } from './amend-texts-form.tsx'
import { agreementActTexts } from '../act-texts.ts'

const texts = agreementActTexts.amend
const AGREEMENT: AgreementResource = {
  _id: '6b01799184f819f4cecbe1b3',
  type: 'adhoc',
  status: 'active',
  version: 0,
  description: 'Gym',
  short_description: null,
  purpose: 'other',
  start_date: '2026-11-01',
  end_date: null,
  debtor: { name: 'Ada Lovelace', type: 'person', pay_id: { type: 'EMAIL', value: 'a•••@acme.example' } },
  creditor: { name: 'Acme', account: { bsb: '802-985', account_number: '•••789' } },
  payment_terms: {
    amount_type: 'fixed',
    amount: 10,
    maximum_amount: null,
    frequency: null,
    count_per_period: null,
    point_in_period: null,
    first_payment: null,
    last_payment: null,
  },
  max_number_of_payments: null,
  response_required_by: '2026-11-27T00:00:00.000Z',
  pending_amendment: null,
  suspended_by: null,
  reason_code: null,
  reason: null,
  reference: 'member-1',
  metadata: { branch: 'north' },
  next_collection_date: null,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
}

function start(metadata = AGREEMENT.metadata) {
  const amend = vi.fn(() => Promise.resolve(null))
  const acts = { amend, changeStatus: amend, pay: amend }
  renderInApp(<AmendTextsForm agreement={{ ...AGREEMENT, metadata }} acts={acts} close={() => undefined} />)
  return amend
}
const save = () => person.click(screen.getByRole('button', { name: texts.saveTexts }))
const field = () => screen.getByLabelText(new RegExp(`^${texts.metadata}`))

it('metadata is changed as lines, of which those that differ are sent', async () => {
  const amend = start()
  await person.type(field(), '\nlink: https://acme.example/7')
  await save()
  const metadata = { link: 'https://acme.example/7' }
  expect(amend).toHaveBeenCalledExactlyOnceWith({ metadata }, texts.savedTexts)
})

it('a line without a name is not sent', async () => {
  const amend = start()
  await person.type(field(), '\nnorth')
  await save()
  expect(screen.getByText(texts.metadataFault)).toBeDefined()
  expect(amend).not.toHaveBeenCalled()
})

it('metadata that does not fit into lines is left as it is', async () => {
  const amend = start({ 'branch:north': '7' })
  expect(screen.queryByLabelText(new RegExp(`^${texts.metadata}`))).toBeNull()
  await person.type(screen.getByLabelText(texts.description), '!')
  await save()
  expect(amend).toHaveBeenCalledExactlyOnceWith({ description: 'Gym!' }, texts.savedTexts)
})
