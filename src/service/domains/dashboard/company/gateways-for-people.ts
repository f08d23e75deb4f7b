import type { GatewayTest } from '../../../../contract/dashboard/company/gateway.ts'

/** What people may do with gateways beside listing and adding them. */
export interface GatewaysForPeople {
  /** What a person entered for a gateway, fit to be kept; a fault, by its field, where it is not. */
  enteredCredentials: (
    type: string,
    credentials: unknown,
  ) => { credentials: unknown } | { path: string; message: string }
  /** Asks a gateway something that moves no money. */
  check: (account: { merchantId: string; gatewayId: string; gatewayType: string }) => Promise<GatewayTest>
}
