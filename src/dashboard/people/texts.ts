export const peopleTexts = {
  former: (name: string) => `${name} (former member)`,
  unknown: 'Somebody who has left',
} as const
