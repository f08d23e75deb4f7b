import type { DisputeCategory } from '../../../contract/api/disputes/dispute-resource.ts'

/** Why a card holder disputes: the scheme's own code, and what it means. */
interface SchemeReason {
  category: DisputeCategory
  description: string
}

/**
 * What a scheme's reason code means; null of one that is not known. `scheme`: by any name that a gateway has for it. Codes are found
 * whatever their case, and with spaces around.
 */
export function schemeReasonOf(scheme: string, code: string): SchemeReason | null {
  const found = SCHEMES.find(({ names }) => names.includes(scheme.toLowerCase()))
  return found?.reasons.get(code.trim().toUpperCase()) ?? null
}

type Codes = Partial<Record<DisputeCategory, Readonly<Record<string, string>>>>

function scheme(names: readonly string[], codes: Codes) {
  const reasons = new Map<string, SchemeReason>()
  for (const category of CATEGORIES)
    for (const [code, description] of Object.entries(codes[category] ?? {}))
      reasons.set(code, { category, description })
  return { names, reasons }
}

const CATEGORIES = [
  ...(['fraud', 'authorisation', 'processing_error', 'not_received'] as const),
  ...(['not_as_described', 'cancelled', 'duplicate', 'other'] as const),
]

/**
 * The codes by which each scheme gives each reason (docs.adyen.com and docs.stripe.com, "Dispute reason codes"). A refund that never came
 * counts as cancelled: the card holder says that the purchase was undone. What was paid in another way as well counts as a duplicate.
 */
const SCHEMES = [
  scheme(['visa', 'electron', 'vpay', 'visadankort'], {
    fraud: {
      '10.1': 'A counterfeit card was used where its chip would have told',
      '10.2': 'A lost or stolen card was used without its chip and PIN',
      '10.3': 'Fraud with the card present',
      '10.4': 'Fraud without the card, such as online',
      '10.5': "Visa's fraud monitoring picked it out",
      33: 'The issuer looks into possible fraud',
    },
    authorisation: {
      '11.1': 'The card was on a list of blocked cards',
      '11.2': 'The authorisation was declined',
      '11.3': 'There was no authorisation',
    },
    processing_error: {
      '12.1': 'The payment was presented late',
      '12.2': 'Wrong transaction code: a credit taken for a debit, or the reverse',
      '12.3': 'Wrong currency',
      '12.4': 'Wrong account number',
      '12.5': 'Wrong amount',
      '12.7': 'The authorisation held wrong particulars',
    },
    duplicate: {
      '12.6': 'Charged twice, or paid by other means',
      '12.6.1': 'Charged twice',
      '12.6.2': 'Paid by other means',
    },
    not_received: {
      '13.1': 'Goods or services were not received',
      '13.9': 'Cash or a loaded value was not received',
    },
    not_as_described: {
      '13.3': 'Goods or services were not as described, or defective',
      '13.4': 'The goods were counterfeit',
      '13.5': 'The terms of sale were misrepresented',
    },
    cancelled: {
      '13.2': 'A recurring payment was cancelled',
      '13.6': 'A refund was promised and did not come',
      '13.7': 'Goods or services were cancelled',
    },
    other: {
      30: 'The card holder asks for a copy, about goods or services',
      34: 'The issuer asks for a copy, for a legal procedure',
      '13.8': 'A credit was not accepted',
    },
  }),
  scheme(['mc', 'mastercard', 'maestro', 'debitmastercard'], {
    fraud: {
      4837: 'The card holder did not authorise it',
      4840: 'Fraudulent processing of several transactions',
      4849: 'Mastercard lists the merchant for questionable activity',
      4863: 'The card holder does not recognise it',
      4870: 'A counterfeit card was used where its chip would have told',
      4871: 'A lost or stolen card was used without its chip and PIN',
      6321: 'The card holder does not recognise it, and asks for a copy',
      6341: 'The issuer looks into possible fraud',
    },
    authorisation: {
      4807: 'The card was on a list of blocked cards',
      4808: 'There was no valid authorisation',
      4812: 'The account number does not exist',
    },
    processing_error: {
      4831: 'Wrong amount',
      4842: 'The payment was presented late',
      4846: 'Wrong currency',
      4850: 'Wrongly billed in instalments',
    },
    duplicate: { 4834: 'An error at the point of sale, such as charging twice' },
    not_received: { 4855: 'Goods or services were not provided' },
    not_as_described: { 4853: 'The card holder disputes the goods or services' },
    cancelled: {
      4841: 'A recurring or digital payment was cancelled',
      4860: 'A refund was promised and did not come',
    },
    other: {
      4802: 'The information that was asked for is missing or illegible',
      4854: 'Not classified otherwise',
      4859: 'An extra charge, a no-show, or cash that was not paid out',
      4999: 'By the rules of one country',
      6305: 'The card holder does not agree with the amount',
    },
  }),
  scheme(['amex', 'american_express'], {
    fraud: {
      F10: 'The imprint of the card is missing',
      F14: 'The signature is missing',
      F24: 'The card holder did not authorise it',
      F29: 'Fraud without the card, such as online',
      F30: 'A counterfeit card was used where its chip would have told',
      F31: 'A lost or stolen card was used without its chip and PIN',
      FR2: 'Fraud, under the full recourse programme',
      FR4: 'Fraud, under the immediate chargeback programme',
      FR6: 'Fraud, under the partial chargeback programme',
      127: 'The card holder does not recognise it',
      177: 'The card holder did not authorise it',
      193: 'Fraud',
      4527: 'The imprint of the card is missing',
      4534: 'Several charges that the card holder did not authorise',
      4540: 'Fraud without the card, such as online',
      4763: 'Fraud, under the full recourse programme',
      4798: 'A counterfeit card was used where its chip would have told',
      4799: 'A lost or stolen card was used without its chip and PIN',
    },
    authorisation: {
      A01: 'More was charged than was authorised',
      A02: 'There was no valid authorisation',
      A08: 'The authorisation had expired',
      F22: 'The card had expired',
      4521: 'There was no valid authorisation',
      4755: 'There was no valid authorisation',
    },
    processing_error: {
      P01: 'The card number is not assigned',
      P03: 'A credit was processed as a charge',
      P04: 'A charge was processed as a credit',
      P05: 'Wrong amount',
      P07: 'The payment was presented late',
      P22: 'The card number does not match',
      P23: 'Wrong currency',
      4507: 'Wrong amount',
      4523: 'The card number is not assigned',
      4536: 'The payment was presented late',
      4752: 'A credit was processed as a charge',
    },
    not_received: {
      C08: 'Goods or services were not received',
      155: 'Goods or services were not received',
      4554: 'Goods or services were not received',
    },
    not_as_described: {
      C31: 'Goods or services were not as described',
      C32: 'Goods were damaged or defective',
      4553: 'Goods or services were not as described, or defective',
    },
    cancelled: {
      C02: 'A refund was promised and did not come',
      C04: 'Goods were returned or refused',
      C05: 'Goods or services were cancelled',
      C18: 'A reservation was cancelled, or the guest did not come',
      C28: 'A recurring payment was cancelled',
      175: 'A refund was promised and did not come',
      4513: 'A refund was promised and did not come',
      4544: 'A recurring payment was cancelled',
    },
    duplicate: {
      C14: 'Paid by other means',
      P08: 'Charged twice',
      173: 'Charged twice',
      4512: 'Charged twice',
      4515: 'Paid by other means',
    },
    other: {
      M01: 'The merchant let American Express charge it back',
      M10: 'Damage or loss of a hired vehicle',
      M38: 'The merchant let American Express charge it back',
      M49: 'Theft or loss of use of a hired vehicle',
      R03: 'The answer to an inquiry did not suffice',
      R13: 'An inquiry was not answered',
      4516: 'An inquiry was not answered',
      4517: 'The answer to an inquiry did not suffice',
      4750: 'Damage or loss of a hired vehicle',
    },
  }),
  scheme(['discover', 'diners', 'diners_club'], {
    fraud: {
      AA: 'The card holder does not recognise it',
      UA01: 'Fraud with the card present',
      UA02: 'Fraud without the card, such as online',
      UA05: 'A counterfeit card was used where its chip would have told',
      UA06: 'A lost or stolen card was used without its chip and PIN',
      UA10: 'The issuer asks for a receipt, for possible fraud',
      UA11: 'Fraud with the card present, without a signature',
      4752: 'The card holder does not recognise it',
      4866: 'A counterfeit card was used where its chip would have told',
      4867: 'A lost or stolen card was used without its chip and PIN',
      7010: 'Fraud with the card present',
      7030: 'Fraud without the card, such as online',
    },
    authorisation: {
      AT: 'There was no valid authorisation',
      DA: 'The authorisation was declined',
      EX: 'The card had expired',
      NA: 'There was no authorisation',
      A02: 'The authorisation was faulty',
      4863: 'There was no valid authorisation',
    },
    processing_error: {
      AW: 'The amount was altered',
      CD: 'A credit was processed as a charge, or the reverse',
      IN: 'The card number is not valid',
      LP: 'The payment was presented late',
      A06: 'The card number was not issued',
      B24: 'The payment was presented late',
      4542: 'The payment was presented late',
      4550: 'A credit was processed as a charge, or the reverse',
      4586: 'The amount was altered',
      4753: 'The card number is not valid',
    },
    not_received: {
      NF: 'Cash was not received',
      RG: 'Goods or services were not received',
      4755: 'Goods or services were not received',
      4864: 'Cash was not received',
    },
    not_as_described: {
      RM: 'The card holder disputes the quality of the goods or services',
      4553: 'The card holder disputes the quality of the goods or services',
    },
    cancelled: {
      AP: 'A recurring payment was cancelled',
      RN2: 'A refund was promised and did not come',
      4541: 'A recurring payment was cancelled',
      8002: 'A refund was promised and did not come',
    },
    duplicate: {
      DP: 'Charged twice',
      PM: 'Paid by other means',
      B25: 'Charged twice',
      4534: 'Charged twice',
      4865: 'Paid by other means',
    },
    other: {
      DC: 'Against the rules of the scheme',
      NC: 'Not classified otherwise',
      4762: 'The issuer asks for goodwill',
    },
  }),
  scheme(['jcb'], {
    fraud: {
      526: 'The signature is missing',
      527: 'The imprint of the card is missing',
      534: 'Several charges that the card holder did not authorise',
      546: 'The card holder did not authorise it',
      548: 'A counterfeit card was used where its chip would have told',
    },
    authorisation: {
      501: 'The card is not of JCB',
      503: 'The card had expired',
      521: 'There was no authorisation',
      522: 'The authorisation was declined',
      547: 'The card was on a list of blocked cards',
      581: 'A sale was split to avoid its authorisation',
    },
    processing_error: {
      507: 'Wrong amount',
      510: 'Booked to the wrong account',
      525: 'The amount was altered',
    },
    not_as_described: { 502: 'The card holder disputes the goods or services' },
    cancelled: { 513: 'A refund was promised and did not come' },
    duplicate: { 512: 'Charged twice' },
  }),
]
