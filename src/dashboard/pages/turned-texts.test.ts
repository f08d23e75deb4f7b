import { expect, it } from 'vitest'
import { agreementActTexts } from './agreements/agreement/act-texts.ts'
import { agreementDetailTexts } from './agreements/agreement/texts.ts'
import { entryTexts } from './charges/charge/texts.ts'
import { gatewayTexts } from './gateways/texts.ts'

/** Contains a character that reverses the direction of the text after it. */
const TURNED = 'Ada \u202Etekcit'

it.each([
  ['a payment’s question', agreementActTexts.pay.words('$5.00', TURNED)],
  ['the question before suspending', agreementActTexts.suspend.words(TURNED)],
  ['the question before cancelling', agreementActTexts.cancel.words(TURNED)],
  ['the words on new terms', agreementActTexts.amend.termsWords(TURNED)],
  ['what a payer has not answered', agreementDetailTexts.suspendedByDebtor(TURNED)],
  ['a reason', agreementDetailTexts.reason(TURNED)],
  ['who gave an order', entryTexts.actors.person(TURNED)],
  ['a gateway that was added', gatewayTexts.connect.added(TURNED)],
  ['the question on a default gateway', gatewayTexts.defaultTitle(TURNED)],
  ['a default gateway', gatewayTexts.defaulted(TURNED)],
])('a name in %s turns none of its words around', (_, sentence) => {
  expect(sentence).toContain('Ada tekcit')
})
