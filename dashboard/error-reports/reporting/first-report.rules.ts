/** The lines that report the errors of a Node server, as docs/guides/error-reporting.md has them. */
export function sdkLines(origin: string): string {
  return `import { openErrorReporter } from '@patio/sdk'

const errors = openErrorReporter({ url: '${origin}', apiKey: process.env.PATIO_KEY!, module: 'shop' })
errors.captureUncaught()

try {
  await pay(order)
} catch (error) {
  errors.report(error, { severity: 'high', endpoint: '/orders/:id/pay', method: 'POST', userId: customer.id })
  throw error
}`
}

/** The same over HTTP, for every language. */
export function curlLines(origin: string): string {
  return `curl ${origin}/api/external/v1/errors/report \\
  -H "X-Api-Key: $PATIO_KEY" -H 'Content-Type: application/json' \\
  -d '{"message": "Order 42 cannot be paid", "module": "shop", "severity": "high", "file": "src/pay.ts", "line": 10}'`
}
