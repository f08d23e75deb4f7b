/** The cookie of the one person who is signed in to the measured dashboard. */
export const SIGNED_IN = 'bench=signed-in'
