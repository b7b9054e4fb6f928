// every operation on an invoice in every state; npm test performs each in one state of each outcome
process.env.WHOLE_MATRIX = '1'
await import('../../server/billing/invoices/states.test.ts')
