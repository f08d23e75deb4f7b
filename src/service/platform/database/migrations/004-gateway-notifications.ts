/**
 * What gateways tell of their own accord, what proves that they do, and the attempts that come of it. `place`: the order in which attempts
 * are written; those from before have none. `reverses`: the attempt that did not come about. The type's check is not validated, or every
 * attempt would be read under a lock.
 */
export const gatewayNotifications = `
CREATE SEQUENCE attempt_places;
ALTER TABLE attempts ADD COLUMN reverses text;
ALTER TABLE attempts ADD COLUMN place bigint;
ALTER TABLE attempts ALTER COLUMN place SET DEFAULT nextval('attempt_places');
ALTER TABLE attempts DROP CONSTRAINT attempts_type_check;
ALTER TABLE attempts ADD CONSTRAINT attempts_type_check
  CHECK (type IN ('sale', 'capture', 'cancel', 'refund', 'reversal')) NOT VALID;

-- Sealed: the signing keys, and the user and password of basic authentication.
CREATE TABLE gateway_notification_secrets (
  gateway_id text PRIMARY KEY REFERENCES gateways (id) ON DELETE CASCADE,
  merchant_id text NOT NULL,
  master_key_id text NOT NULL,
  wrapped_data_key bytea NOT NULL,
  secrets bytea NOT NULL,
  changed_at timestamptz(3) NOT NULL DEFAULT now()
);

-- place: the order in which they came. news: in our words. sent: as the gateway sent it, without card numbers and secrets. try_after: null once it does not wait any more.
CREATE TABLE gateway_notifications (
  id text PRIMARY KEY,
  place bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  gateway_id text NOT NULL,
  gateway_type text NOT NULL,
  merchant_id text NOT NULL,
  news_key text NOT NULL,
  name text NOT NULL,
  news jsonb NOT NULL,
  sent jsonb NOT NULL,
  charge_id text,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'not_understood', 'unexplained')),
  why text,
  times_tried integer NOT NULL DEFAULT 0,
  try_after timestamptz(3) DEFAULT now(),
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  done_at timestamptz(3)
);
CREATE UNIQUE INDEX gateway_notifications_once ON gateway_notifications (gateway_id, news_key);
CREATE INDEX gateway_notifications_due ON gateway_notifications (gateway_id, try_after) WHERE state = 'waiting';
CREATE INDEX gateway_notifications_to_see ON gateway_notifications (merchant_id, received_at)
  WHERE state IN ('not_understood', 'unexplained');
CREATE INDEX gateway_notifications_to_forget ON gateway_notifications (done_at) WHERE state = 'done';
CREATE INDEX gateway_notifications_by_state ON gateway_notifications (gateway_type, state) WHERE state <> 'done';
`
