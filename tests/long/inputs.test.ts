// every invalid value of every field; npm test sends a half
process.env.WHOLE_MATRIX = '1'
await import('../invariants/inputs.test.ts')
