import type { SignInBed } from '../../domains/users/testing/sign-in-bed.ts'

/** The token in the link that a command shows; '' where it shows none. */
export const tokenIn = (said: string): string => /#(svc_invitation_[\w-]{43})/.exec(said)?.[1] ?? ''

/** Follows the link that a command shows, in a browser of its own, and chooses a password. */
export async function followInvitation(bed: SignInBed, said: string, password: string) {
  const page = bed.browser()
  const answer = await page.post('/api/invitations/accept', { token: tokenIn(said), name: 'Grace', password })
  return { page, answer }
}
