import { inSentence } from '../../formats/in-sentence.ts'

export const gatewayTexts = {
  title: 'Gateways',
  description: 'Where your charges go. Each charge goes to the default one unless it names another.',
  list: 'Gateways',
  none: { title: 'No gateway yet', words: 'Add one to take payments. Until then every charge is refused.' },
  columns: { name: 'Name', type: 'Type', credentials: 'Credentials', state: 'Use' },
  types: { sandbox: 'Sandbox: moves no money', adyen: 'Adyen' },
  stored: 'Stored, encrypted',
  notNeeded: 'None needed',
  isDefault: 'Default',
  other: 'When named',
  add: 'Add a gateway',
  cancel: 'Cancel',
  fields: {
    name: 'Name',
    apiKey: 'API key',
    account: 'Merchant account',
    url: 'Address of the Checkout API',
    urlHint: 'With its version, as Adyen’s Customer Area shows it.',
    isDefault: 'Send new charges here',
    apiKeyHint: 'Stored encrypted, and never shown again.',
  },
  added: (name: string) => `${inSentence(name)} was added.`,
  test: 'Test',
  testing: 'Testing …',
  makeDefault: 'Make default',
  defaultTitle: (name: string) => `Send new charges to ${inSentence(name)}?`,
  defaultWords:
    'Charges that name no gateway go there from now on. Those that were made stay where they are.',
  defaulted: (name: string) => `New charges go to ${inSentence(name)}.`,
} as const
