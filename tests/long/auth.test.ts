// every question about credentials and gates at every operation; npm test asks a part of them at each
process.env.WHOLE_MATRIX = '1'
await import('../invariants/auth.test.ts')
