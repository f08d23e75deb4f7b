/** Error codes of failed payments, and words that the message has to contain. */
export const DECLINES: Readonly<Record<string, string>> = {
  transaction_declined: 'Your bank declined this payment',
  fraud_warning: 'Your bank declined this payment',
  insufficient_funds: 'There is not enough money',
  credit_card_invalid_or_expired: 'has expired or isn’t valid',
  gateway_unavailable: 'press Pay A$49.00 again',
  token_not_found: 'Enter the security code and press Pay A$49.00 again',
  validation_error: 'were not accepted',
}

/** A$1,234.50 in each language, with ordinary spaces. */
export const AMOUNTS: Readonly<Record<string, string>> = {
  en: 'A$1,234.50',
  fr: '1 234,50 $AU',
  de: '1.234,50 AU$',
  es: '1234,50 AUD',
  it: '1234,50 A$',
  pt: 'AU$ 1.234,50',
  'pt-BR': 'AU$ 1.234,50',
  nl: 'AU$ 1.234,50',
  ja: 'A$1,234.50',
  zh: 'AU$1,234.50',
  'zh-TW': 'AU$1,234.50',
  ko: 'AU$1,234.50',
  ar: '1,234.50 AU$',
  hi: 'A$1,234.50',
}
