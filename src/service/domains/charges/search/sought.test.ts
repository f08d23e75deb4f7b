import { expect, it } from 'vitest'
import { soughtIn } from './sought.ts'
import type { Sought } from './sought.ts'

const ID = '6b01799184f819f4cecbe1c1'
const NOTHING = { id: null, last4: null, amount: null, email: null, transaction: null }
const PSP = 'NC6HT9CRT65ZGN82'

it.each<[string, Partial<Sought>]>([
  [ID, { id: ID, transaction: ID }],
  [ID.toUpperCase(), { id: ID, transaction: ID.toUpperCase() }],
  [` ${ID}\u200b\n`, { id: ID, transaction: ID }],
  [`"${ID}"`, { id: ID, transaction: ID }],
  [`Charge ${ID}, please refund`, { id: ID, transaction: ID }],
  [`https://dashboard.example/charges/${ID}?tab=all`, { id: ID, transaction: ID }],
  [`${ID}0`, { transaction: `${ID}0` }],
  [PSP, { transaction: PSP }],
  [` ${PSP.toLowerCase()}. `, { transaction: PSP.toLowerCase() }],
  [`PSP reference: ${PSP}`, { transaction: PSP }],
  [
    `https://ca-live.adyen.com/ca/ca/accounts/showTx.shtml?pspReference=${PSP}&txType=Payment`,
    { transaction: PSP },
  ],
  ['8825408195409505', { transaction: '8825408195409505' }],
  ['internationalisation', {}],
  ['1118', { last4: '1118' }],
  ['•••• 1118', { last4: '1118' }],
  ['**** 1118', { last4: '1118' }],
  ['····1118', { last4: '1118' }],
  ['Visa •••• 1118', { last4: '1118' }],
  ['XXXX-1118', { last4: '1118' }],
  ['card ending in 1118', { last4: '1118' }],
  ['**** **** **** 1118', { last4: '1118' }],
  ['xxxx-xxxx-xxxx-1118', { last4: '1118' }],
  ['411111******1118', { last4: '1118' }],
  ['4111 11XX XXXX 1118', { last4: '1118' }],
  ['...1118', { last4: '1118' }],
  ['…1118', { last4: '1118' }],
  ['x1118', { last4: '1118' }],
  ['Visa •••• 1118, expires 01/39', { last4: '1118' }],
  ['ends in: 1118.', { last4: '1118' }],
  ['last four digits 1118', { last4: '1118' }],
  ['１１１８', { last4: '1118' }],
  ['١١١٨', { last4: '1118' }],
  ['•••• 11189', {}],
  ['matrix 1118', {}],
  ['-$120.00', { amount: 120_00 }],
  ['($120.00)', { amount: 120_00 }],
  ['$120.00.', { amount: 120_00 }],
  ['￥１，２００', { amount: 1200_00 }],
  ['A$120', { amount: 120_00 }],
  ['$1,200.50', { amount: 1200_50 }],
  ['120.00', { amount: 120_00 }],
  ['120,00', { amount: 120_00 }],
  ['1.200,50 €', { amount: 1200_50 }],
  ['1 200,50 EUR', { amount: 1200_50 }],
  ['AUD 1\u00a0200.50', { amount: 1200_50 }],
  ["CHF 1'200.00", { amount: 1200_00 }],
  ['$0', {}],
  ['120', {}],
  ['INV-120.00', {}],
  ['Ada@Shop.example', { email: 'Ada@Shop.example' }],
  ['<ada@shop.example>', { email: 'ada@shop.example' }],
  ['@ada', {}],
  ['Ada Lovelace <ada@shop.example>', { email: 'ada@shop.example' }],
  ['mailto:ada@shop.example?subject=Hello', { email: 'ada@shop.example' }],
  ['ada@shop.example, bob@shop.example', { email: 'ada@shop.example' }],
  ["Write to o'neil@shop.example.", { email: "o'neil@shop.example" }],
])('%j is searched as %j', (typed, expected) => {
  expect(soughtIn(typed)).toMatchObject({ ...NOTHING, ...expected })
})

it.each([
  ['Grace Hopper', 'Grace Hopper'],
  ['  "GRACE   HOPPER", ', 'GRACE HOPPER'],
  ['Zo\u0065\u0308', 'Zo\u00eb'],
  ['J. R. D’Arcy', 'J. R. D’Arcy'],
  ['1118', null],
  ['A$120', null],
  ['ada@shop.example', null],
  ['INV-7', null],
  [ID, null],
])('the name on a card in %j is %j', (typed, cardName) => {
  expect(soughtIn(typed).cardName).toBe(cardName)
})

it.each([
  ['INV-7', ['INV-7']],
  [' “INV-7”,', [' “INV-7”,', 'INV-7']],
  ['#1042', ['#1042', '1042']],
  ['Zo\u0065\u0308', ['Zo\u0065\u0308', 'Zo\u00eb']],
  ['Zo\u00eb', ['Zo\u00eb', 'Zo\u0065\u0308']],
  ['order\u00a012', ['order\u00a012', 'order 12']],
  ['See INV-7.', ['See INV-7.', 'See INV-7']],
  ['INV\u20117', ['INV\u20117', 'INV-7']],
  ['INV\u20137', ['INV\u20137', 'INV-7']],
  ['ＩＮＶ－７', ['ＩＮＶ－７', 'INV-7']],
  ['Ada’s', ['Ada’s', "Ada's"]],
  ['№5', ['№5', 'No5']],
])('the reference %j is looked for as %j', (typed, references) => {
  expect(soughtIn(typed).references).toEqual(references)
})
