/**
 * Authentications at the sandbox's bank. `page`: what its page for the card holder is like; `verdict`: what it says without asking them;
 * `code`: the response code of a sale that is authenticated. `trans_status`: what it has decided; `ended_at`: the sale has its answer.
 */
export const sandboxBank = `
CREATE TABLE sandbox_gateway.authentications (
  attempt_id text PRIMARY KEY,
  server_trans_id text NOT NULL,
  acs_trans_id text NOT NULL,
  ds_trans_id text NOT NULL,
  asked_by text NOT NULL,
  method text NOT NULL,
  verdict text,
  verdict_reason text,
  page text NOT NULL,
  return_url text NOT NULL,
  amount bigint NOT NULL,
  currency text NOT NULL,
  capture boolean NOT NULL,
  payee text NOT NULL,
  last4 text NOT NULL,
  code text NOT NULL,
  reference text NOT NULL,
  version text NOT NULL,
  flow text,
  eci text,
  trans_status text,
  trans_status_reason text,
  cancelled_by text,
  tries integer NOT NULL DEFAULT 0,
  finishes integer NOT NULL DEFAULT 0,
  method_at timestamptz(3),
  opened_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX sandbox_authentications_by_server ON sandbox_gateway.authentications (server_trans_id);
CREATE UNIQUE INDEX sandbox_authentications_by_acs ON sandbox_gateway.authentications (acs_trans_id);
`
