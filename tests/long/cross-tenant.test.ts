// both callers at every operation; npm test asks a part of the changes as the second one
process.env.WHOLE_MATRIX = '1'
await import('../invariants/cross-tenant.test.ts')
