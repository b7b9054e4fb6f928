// every part of the dashboard in each of five views; npm test looks at two or three of them
process.env.WHOLE_MATRIX = '1'
await import('../e2e/dashboard-book.test.ts')
