/** The card of every sale. */
export const testCard = {
  type: 'card',
  card_name: 'Grace Hopper',
  card_number: '5111111111111118',
  expire_month: '01',
  expire_year: '39',
  card_ccv: '100',
}
