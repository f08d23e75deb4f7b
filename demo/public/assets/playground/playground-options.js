const text = (form, name) => form.elements[name].value.trim()
const isTicked = (form, name) => form.elements[name].checked
const ticked = (form, prefix, names) =>
  Object.keys(names).filter((name) => isTicked(form, `${prefix}_${name}`))

/** Only options with a value: an empty one does not change the form. */
const said = (entries) => Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== ''))

/** The colours that a merchant can set, and those of the theme `plain` in a light page. */
const BUILT_IN = {
  text: '#1b2430',
  background: '#ffffff',
  field: '#ffffff',
  border: '#838d9b',
  focus: '#1d4ed8',
  button: '#1d4ed8',
  error: '#b42318',
  success: '#11703f',
}
export const COLOURS = Object.entries(BUILT_IN)

/** Fields that a form can have beside those of the card, and schemes that it can show, with their names for people. */
export const FIELDS = {
  email: 'E-mail',
  phone: 'Phone',
  address_line1: 'Address',
  address_city: 'City',
  address_postcode: 'Postcode',
}
export const SCHEMES = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  japcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
}

const CARD = ['card_name*', 'card_number*', 'expire_month*', 'expire_year*', 'card_ccv*']

const colours = (form) =>
  COLOURS.map(([name]) => name)
    .filter((name) => isTicked(form, `use_${name}`))
    .map((name) => [`${name}_color`, text(form, name)])

/** The widget's methods that the page calls, and their arguments for the current options. */
const CALLS = {
  setTheme: (form) => [text(form, 'theme')],
  setLanguage: (form) => [text(form, 'language')],
  setStyles: (form) => [said({ ...Object.fromEntries(colours(form)), font_size: text(form, 'font_size') })],
  setElementStyle: (form) => ['input', said({ border_radius: text(form, 'border_radius') })],
  setTexts: (form) => [
    said({
      title: text(form, 'title'),
      submit_button: text(form, 'submit_button'),
      finish_text: text(form, 'finish_text'),
    }),
  ],
  setFormFields: (form) => [[...CARD, ...ticked(form, 'field', FIELDS)]],
  setFormValues: (form) => [said({ email: text(form, 'email') })],
  setHiddenElements: (form) => [isTicked(form, 'hide_button') ? ['submit_button'] : []],
  setSupportedCardIcons: (form) => [ticked(form, 'scheme', SCHEMES), isTicked(form, 'validate')],
  setRefId: (form) => [text(form, 'ref_id')],
}

/** Every call with its arguments. */
export function callsOf(form) {
  return Object.entries(CALLS).map(([method, read]) => ({ method, given: read(form) }))
}

/** The calls whose arguments have changed. */
export function changedCalls(now, before) {
  const isSame = (call, index) => JSON.stringify(call.given) === JSON.stringify(before[index]?.given)
  return now.filter((call, index) => !isSame(call, index))
}
