import type { CardField } from './probe.ts'

export const LANGUAGES = [
  'en',
  'fr',
  'de',
  'es',
  'it',
  'pt',
  'pt-BR',
  'nl',
  'ja',
  'zh',
  'zh-TW',
  'ko',
  'ar',
  'hi',
] as const

/** Fields into which a card number may be typed by mistake, and the text that says so. */
export const OTHER_FIELDS: Readonly<Record<string, string>> = {
  phone: 'card_number_here',
  address_line1: 'card_number_here',
  address_company: 'card_number_here',
  address_postcode: 'card_number_here',
  email: 'card_number_here',
  first_name: 'wrong_name',
  card_name: 'wrong_name',
}

/** The steps of composing a text in a field, what the page does meanwhile, and the field's value in the end. */
export const IN_COMPOSITION: readonly (readonly [
  field: CardField,
  steps: readonly string[],
  act: string,
  shown: string,
])[] = [
  ['card_name', ['や', 'やま', 'やまだ', '山田'], '0', '山田'],
  ['card_name', ['や', 'やま'], "widget.setTexts({ submit_button: 'Now' })", 'やま'],
  ['card_name', ['G', 'Gr', 'Gra'], "widget.setFormLabels({ card_name: 'Name' })", 'Gra'],
  ['card_name', ['ㄱ', '그', '김'], "widget.setLanguage('ko')", '김'],
  ['card_number', ['４', '４０', '４０１２０'], "widget.setTheme('soft')", '4012 0'],
  ['card_number', ['4', '40', '40120'], "widget.setSupportedCardIcons(['visa'])", '4012 0'],
  ['expiry', ['０', '０１', '０１３９'], "widget.setFormPlaceholders({ expiry: 'M' })", '01 / 39'],
  ['card_ccv', ['１', '１００'], "widget.setLanguage('en')", '100'],
]

/** Settings that make a form wide or high. */
export const WIDE_SET_UPS: Readonly<Record<string, string>> = {
  'as it is': '',
  'with icons and a title':
    "widget.setSupportedCardIcons(['visa', 'mastercard', 'amex', 'diners', 'discover', 'japcb']).setText('title', 'Pay')",
  compact: "widget.setTheme('compact')",
  'in German': "widget.setLanguage('de')",
  'in Arabic': "widget.setLanguage('ar')",
}

/** WCAG 2.2, 1.4.12. */
export const SPACED_TEXT =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'
