import { expect, test } from 'vitest'
import { revokeKey } from '#contract/integrations/keys.ts'
import { connect } from './client.ts'

const client = connect('http://127.0.0.1:1')

test.each(['', '.', '..'])(
  "'%s' is refused as an id, because it would lead to another operation",
  async keyId => {
    await expect(client.send(revokeKey, { params: { id: 'c1', keyId } })).rejects.toThrow('params.keyId')
  },
)
