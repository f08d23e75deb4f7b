import * as v from 'valibot'
import { onlyKnown } from '../fields/only-known.ts'
import { singleLineText } from '../fields/single-line-text.ts'
import { text } from '../fields/text.ts'

export const Account = v.strictObject(
  {
    bsb: v.pipe(
      v.string('bsb must be a text of 6 digits'),
      v.regex(/^\d{3}-?\d{3}$/, 'bsb must be 6 digits, such as 802-985'),
      v.transform((bsb) => bsb.replace('-', '')),
    ),
    account_number: v.pipe(
      v.string('account_number must be a text of digits'),
      v.regex(/^\d{1,9}$/, 'account_number must be 1 to 9 digits'),
    ),
  },
  onlyKnown('bsb and account_number'),
)
export type Account = v.InferOutput<typeof Account>

const PayIdOf = <Type extends string, Value extends v.GenericSchema<string, string>>(
  type: Type,
  value: Value,
) => v.strictObject({ type: v.literal(type), value }, onlyKnown('type and value'))

/** As RFC 5322 has them without quotes, so that `o'brien@example.com` is one; the domain has two names or more. */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/

/** A PayID: what a payer's bank account is known by (NPP addressing service). */
export const PayId = v.variant(
  'type',
  [
    PayIdOf('EMAIL', v.pipe(text(254), v.toLowerCase(), v.regex(EMAIL, 'must be an e-mail address'))),
    PayIdOf('PHONE', v.pipe(v.string(), v.regex(/^\+\d{1,3}-\d{4,15}$/, 'must be such as +61-412345678'))),
    PayIdOf('ABN', v.pipe(v.string(), v.regex(/^\d{11}$/, 'must be 11 digits'))),
    PayIdOf('ORGANISATION', singleLineText(140)),
  ],
  'type must be EMAIL, PHONE, ABN or ORGANISATION',
)
export type PayId = v.InferOutput<typeof PayId>

/** Who pays: known by an account or by a PayID, not by both. */
export const Debtor = v.pipe(
  v.strictObject(
    {
      name: singleLineText(140),
      type: v.picklist(['person', 'organisation'], 'must be person or organisation'),
      account: v.optional(Account),
      pay_id: v.optional(PayId),
    },
    onlyKnown('name, type, and account or pay_id'),
  ),
  v.check(
    ({ account, pay_id: payId }) => (account === undefined) !== (payId === undefined),
    'must have an account or a pay_id, and not both',
  ),
)
export type Debtor = v.InferOutput<typeof Debtor>

/** Who is paid. */
export const Creditor = v.strictObject(
  { name: singleLineText(140), account: Account },
  onlyKnown('name and account'),
)
export type Creditor = v.InferOutput<typeof Creditor>
