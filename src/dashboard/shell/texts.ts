import type { MenuGroup } from './menu-group.ts'

export const shellTexts = {
  product: 'Dashboard',
  skip: 'Skip to the content',
  pages: 'Dashboard',
  openMenu: 'Open the menu',
  account: 'Your account',
  merchant: 'Merchant',
  profile: 'My profile',
  signOut: 'Sign out',
  environments: { sandbox: 'Sandbox' },
} as const

/** Headings of the side navigation; '' for none. */
export const groupTexts: Readonly<Record<MenuGroup, string>> = {
  start: '',
  payments: 'Payments',
  company: 'My Company',
}
