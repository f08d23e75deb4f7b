/** Integer cents → the number in units of the currency that answers carry (contract §2). */
export function toAmount(cents: number): number {
  return cents / 100
}
