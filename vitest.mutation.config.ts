import { defineConfig } from 'vitest/config'

/** The tests of rules, pure and fast: what mutation testing runs again for every change that it tries. */
export default defineConfig({
  test: {
    include: [
      'src/service/domains/charges/{charge,decide,refusal,movement-as-of,event-of-attempt,new-charge,operation}.test.ts',
      'src/service/domains/checkouts/{intent,card-rules,intent-tokens,token-words}.test.ts',
      'src/service/platform/vault/{aes-gcm,vault}.test.ts',
      'src/service/domains/sdk-releases/{recommended-sdk,release}.test.ts',
    ],
  },
})
