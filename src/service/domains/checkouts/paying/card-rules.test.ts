import { describe, expect, it } from 'vitest'
import { faultsOf } from './card-rules.ts'

const card = { takenAs: ['visa'], gatewayId: 'g1', given: { email: 'a@example.com', phone: '' } }
const other = { path: 'payment_source', message: 'was made for another gateway' }
const missing = (path: string) => ({ path, message: 'is required' })
const field = (
  name: 'email' | 'phone' | 'card_name' | 'card_number' | 'expire_month' | 'expire_year' | 'card_ccv',
  required = true,
) => ({ field: name, required })

it('a card that is issued with another scheme is taken under either name', () => {
  const maestro = { ...card, takenAs: ['maestro', 'laser'] }
  expect(faultsOf(maestro, { capture: 'now', schemes: ['laser'] })).toEqual([])
  expect(faultsOf(maestro, { capture: 'now', schemes: ['maestro'] })).toEqual([])
  expect(faultsOf(maestro, { capture: 'now', schemes: ['solo'] })).toHaveLength(1)
})

describe('what a configuration has against a card', () => {
  it.each([
    ['that says nothing', {}, []],
    ['that takes its scheme', { schemes: ['mastercard', 'visa'] }, []],
    [
      'that takes other schemes',
      { schemes: ['mastercard', 'amex'] },
      [{ path: 'card_number', message: 'cards taken here: mastercard, amex' }],
    ],
    ['whose fields were given', { fields: [field('email')] }, []],
    ['whose field was left empty', { fields: [field('phone')] }, [missing('phone')]],
    ['whose field was left out', { fields: [field('card_name')] }, [missing('card_name')]],
    ['whose field need not be given', { fields: [field('phone', false)] }, []],
    [
      'whose fields every card has',
      { fields: [field('card_number'), field('expire_month'), field('expire_year'), field('card_ccv')] },
      [],
    ],
    ['of its gateway', { gateway_id: 'g1' }, []],
    ['of another gateway', { gateway_id: 'g2' }, [other]],
    [
      'of which much is wrong',
      { schemes: ['amex'], fields: [field('phone'), field('card_name')], gateway_id: 'g2' },
      [
        { path: 'card_number', message: 'cards taken here: amex' },
        missing('phone'),
        missing('card_name'),
        other,
      ],
    ],
  ] as const)('%s', (_name, configuration, faults) => {
    const { schemes, fields, ...rest } = { schemes: undefined, fields: undefined, ...configuration }
    const mutable = {
      ...rest,
      ...(schemes && { schemes: [...schemes] }),
      ...(fields && { fields: [...fields] }),
    }
    expect(faultsOf(card, { capture: 'now', ...mutable })).toEqual(faults)
  })

  it('of a card for any gateway, where one is asked for', () => {
    expect(faultsOf({ ...card, gatewayId: null }, { capture: 'now', gateway_id: 'g1' })).toEqual([other])
  })
})
