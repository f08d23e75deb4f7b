/** Groups of pages in the side navigation, in their order. */
export const MENU_GROUPS = ['start', 'payments', 'company'] as const

export type MenuGroup = (typeof MENU_GROUPS)[number]
