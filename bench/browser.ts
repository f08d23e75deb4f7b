import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import type { Browser, CDPSession } from '@playwright/test'

/** How far the network and the processor are slowed down. */
export interface Conditions {
  name: string
  /** Bytes a second, and ms until an answer begins; without it nothing is slowed. */
  network?: { bytesPerSecond: number; latencyMs: number }
  slowdown: number
}

export const SLOW_4G: Conditions = {
  name: 'slow 4G, CPU ÷4',
  slowdown: 4,
  network: { bytesPerSecond: 200_000, latencyMs: 150 },
}

/** The browser that the tests use: Debian's headless shell, Playwright's own, or the one that is installed. */
export function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const installed = ['/usr/bin/chromium-headless-shell', chromium.executablePath()].find((path) =>
    existsSync(path),
  )
  return chromium.launch({
    executablePath: process.env['SVC_TEST_BROWSER'] ?? installed ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-quic', ...more],
  })
}

/** Counts everything that the page loads, with headers, except from the address `except`. The counts go up for as long as the page is open. */
export async function countTraffic(
  session: CDPSession,
  except?: string,
): Promise<{ readonly bytes: number; readonly requests: number }> {
  const asked = new Set<string>()
  const traffic = { bytes: 0, requests: 0 }
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url === except || request.url.startsWith('data:')) return
    asked.add(requestId)
    traffic.requests += 1
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (asked.has(requestId)) traffic.bytes += encodedDataLength
  })
  await session.send('Network.enable')
  return traffic
}

/** The page's session slows the frame too: both origins differ only by port, so they are one site and share a process. */
export async function slowDown(session: CDPSession, { network, slowdown }: Conditions): Promise<void> {
  if (network !== undefined) {
    const { bytesPerSecond, latencyMs } = network
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: latencyMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    })
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}
