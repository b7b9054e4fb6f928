// every screen in both combinations of language, theme and width; npm test opens each in one
process.env.WHOLE_MATRIX = '1'
await import('../e2e/dashboard/screens.test.ts')
