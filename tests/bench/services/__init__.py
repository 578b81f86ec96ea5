"""Services as processes of their own, so that benches can ask and weigh them."""
