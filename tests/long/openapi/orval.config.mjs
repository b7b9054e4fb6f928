export default {
  patio: {
    input: './openapi.json',
    output: { mode: 'tags-split', target: './orval/patio.ts', schemas: './orval/model', client: 'fetch' },
  },
}
