import { defineConfig } from 'vitest/config'

/** The tests of rules, pure and fast: what mutation testing runs again for every change that it tries. */
export default defineConfig({
  test: {
    include: [
      'src/service/domains/charges/{charge,refusal,charge-event,gateway-requests,new-charge}.test.ts',
      'src/service/domains/agreements/{accounts,agreement,calendar,payment,terms}.test.ts',
      'src/service/domains/checkouts/{intent,intent-tokens}.test.ts',
      'src/service/platform/vault/{aes-gcm,vault}.test.ts',
      'src/service/domains/sdk-releases/release.test.ts',
    ],
  },
})
