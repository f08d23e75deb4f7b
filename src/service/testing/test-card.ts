/** The card of every test, bench and proof. The sandbox approves it. Files are searched for its number and code, which must be in none. */
export const testCard = {
  type: 'card',
  card_name: 'Grace Hopper',
  card_number: '5111111111111118',
  expire_month: '01',
  expire_year: '39',
  card_ccv: '100',
} as const
