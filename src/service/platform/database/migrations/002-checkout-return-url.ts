/** Where a checkout leads a person back to who can't pay it. Checkouts that were made before have no address. */
export const checkoutReturnUrl = 'ALTER TABLE checkout_intents ADD COLUMN return_url text;'
