/**
 * How an account's notifications arrive. `heard_at`: when the last one came that was proved; `newest_heard_at`: proved by the secrets that
 * were entered last. `refused_…`: what nothing proved since then, and what to put right.
 */
export const notificationsArrive = `
ALTER TABLE gateway_notification_secrets ADD COLUMN heard_at timestamptz(3);
ALTER TABLE gateway_notification_secrets ADD COLUMN newest_heard_at timestamptz(3);
ALTER TABLE gateway_notification_secrets ADD COLUMN refused_at timestamptz(3);
ALTER TABLE gateway_notification_secrets ADD COLUMN refused_why text;
ALTER TABLE gateway_notification_secrets ADD COLUMN refused_count bigint NOT NULL DEFAULT 0;
`
