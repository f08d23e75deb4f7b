import * as v from 'valibot'
import { Amount } from '../../../../../contract/api/fields/amount.ts'
import type { Cents } from '../../../../../contract/api/fields/amount.ts'

/** An amount of a test, such as `10.00`, in cents. */
export const cents = (amount: string): Cents => v.parse(Amount, amount)
